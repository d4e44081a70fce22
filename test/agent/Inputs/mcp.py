"""A client of `autokernel mcp`: the protocol, its errors, and a region from the
task to the stored kernel, with wrong candidates on the way."""
import json
import os
import subprocess
import sys

sys.dont_write_bytecode = True
import writer  # noqa: E402

tool, source, store = sys.argv[1:4]
server = subprocess.Popen(
    [tool, "mcp", "--without-nvcc", "--kernel-dir", store, source, "--", "-std=c++17"],
    stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def send(text):
    server.stdin.write(text + "\n")
    server.stdin.flush()


def receive():
    return json.loads(server.stdout.readline())


def request(method, params=None, id=[0]):
    id[0] += 1
    send(json.dumps({"jsonrpc": "2.0", "id": id[0], "method": method, "params": params or {}}))
    reply = receive()
    assert reply["jsonrpc"] == "2.0" and reply["id"] == id[0], reply
    return reply


def result(method, params=None):
    reply = request(method, params)
    assert "error" not in reply, reply
    return reply["result"]


def code(method, params=None):
    return request(method, params)["error"]["code"]


def call(name, **arguments):
    got = result("tools/call", {"name": name, "arguments": arguments})
    if not got["isError"]:
        assert json.loads(got["content"][0]["text"]) == got["structuredContent"], got
    return got


def value(name, **arguments):
    got = call(name, **arguments)
    assert not got["isError"], got
    return got["structuredContent"]


# --- the protocol ---
assert code("tools/list") == -32600  # before initialize
hello = result("initialize", {
    "protocolVersion": "2025-06-18", "capabilities": {},
    "clientInfo": {"name": "test client", "version": "1"}})
assert hello["protocolVersion"] == "2025-06-18", hello
assert set(hello["capabilities"]) == {"tools", "resources", "prompts"}
send('{"jsonrpc": "2.0", "method": "notifications/initialized"}')  # no answer
for text, error in [("{", -32700), ("[]", -32600), ('"x"', -32600), ("{}", -32600),
                    ('{"jsonrpc": "2.0", "id": null, "method": "ping"}', -32600),
                    ('{"jsonrpc": "2.0", "id": 1, "method": 5}', -32600),
                    ('{"jsonrpc": "2.0", "id": 1, "method": "ping", "params": 5}', -32602),
                    ("[" * 100000, -32700), ("\\ud800", -32700)]:
    send(text)
    assert receive()["error"]["code"] == error, text[:80]
send("")  # an empty line is nothing
assert result("ping") == {}
assert code("tools/void") == -32601
assert code("tools/call", {"name": "void"}) == -32602
assert code("tools/call", {"name": "verify", "arguments": {"region": "total"}}) == -32602
assert code("tools/call", {"name": "verify", "arguments": {"region": 1, "source": ""}}) == -32602
assert code("tools/call", {"name": "status", "arguments": {"x": "y"}}) == -32602
assert code("resources/read", {"uri": "file:///etc/passwd"}) == -32002
assert code("resources/read", {"uri": "autokernel://regions/../../x/contract"}) == -32002
assert code("prompts/get", {"name": "write_kernel", "arguments": {"region": "void"}}) == -32602

tools = {t["name"]: t for t in result("tools/list")["tools"]}
assert set(tools) == {"list_regions", "get_task", "compile", "verify", "measure", "submit",
                      "status"}, tools
assert all(t["inputSchema"]["type"] == "object" for t in tools.values())

# --- a region ---
(region,) = value("list_regions")["regions"]
assert region["id"] == "total" and region["state"] == "missing", region
task = value("get_task", region="total")["task"]
assert "autokernel_total(" in task and "untrusted" in task
prompt = result("prompts/get", {"name": "write_kernel", "arguments": {"region": "total"}})
assert prompt["messages"][0]["content"]["text"] == task
uris = [r["uri"] for r in result("resources/list")["resources"]]
assert uris == ["autokernel://regions/total/contract", "autokernel://regions/total/reference"]
contract = result("resources/read", {"uri": uris[0]})["contents"][0]
assert json.loads(contract["text"])["id"] == "total"

candidates = writer.CANDIDATES
assert call("verify", region="void", source="")["isError"]
compiled = value("compile", region="total", source=candidates["syntax"])
assert not compiled["passed"] and compiled["gate"] == "rules", compiled
assert value("compile", region="total", source=candidates["race"])["passed"]
for kind, verdict in [("syntax", "rejected"), ("rule", "rejected"), ("race", "mismatch"),
                      ("outside", "mismatch"), ("cheat", "mismatch")]:
    got = value("verify", region="total", source=candidates[kind])
    assert not got["passed"] and got["verdict"] == verdict and got["feedback"], (kind, got)
wrong = value("submit", region="total", source=candidates["wrong"])
assert not wrong["passed"] and not wrong["stored"], wrong
assert not os.path.exists(os.path.join(store, "total.cu"))
assert call("submit", region="total", source=candidates["bare"])["isError"]
assert not value("measure", region="total")["measured"]
good = value("submit", region="total", source=candidates["good"])
assert good["passed"] and good["stored"], good
assert value("status")["states"] == {"fresh": 1}
assert "mcp test client, attempt 7" in open(os.path.join(store, "total.cu")).read()
assert any(u["uri"].endswith("/evidence") for u in result("resources/list")["resources"])
evidence = result("resources/read", {"uri": "autokernel://regions/total/evidence"})
assert json.loads(evidence["contents"][0]["text"])["evidence"][0]["verdict"] == "verified"

server.stdin.close()
assert server.wait(20) == 0
judged = [json.loads(l) for l in open(os.path.join(store, "total.transcript.jsonl"))]
assert [l["verdict"] for l in judged if l["type"] == "judged"] == [
    "rejected", "rejected", "mismatch", "mismatch", "mismatch", "mismatch", "verified"]
print("good")
