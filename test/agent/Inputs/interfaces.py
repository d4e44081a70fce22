"""interfaces.py TOOL SOURCE FOLDER: `generate` against a server with scripted replies."""
import http.server
import json
import os
import pathlib
import subprocess
import sys
import threading

sys.argv, arguments = sys.argv[:1], sys.argv[1:]
import writer  # noqa: E402  (looks at the arguments only when it is the program)

tool, source, folder = arguments
KINDS = ["words", "syntax", "race", "wrong", "good"]
CANARY = "sk-canary-" + os.urandom(12).hex()
count = {}


def events(kind, text):
    """The reply as the interface streams it, in pieces."""
    pieces = [text[i:i + 97] for i in range(0, len(text), 97)]
    if kind == "openai":
        choice = lambda delta, end=None: {"model": "test-model", "choices": [
            {"index": 0, "delta": delta, "finish_reason": end}]}
        yield from ((None, choice({"content": p})) for p in pieces)
        yield None, choice({}, "stop")
        yield None, {"choices": [], "usage": {"prompt_tokens": 9, "completion_tokens": 7}}
        yield None, "[DONE]"
    elif kind == "openai-responses":
        for p in pieces:
            yield None, {"type": "response.output_text.delta", "delta": p}
        yield None, {"type": "response.completed", "response": {
            "status": "completed", "model": "test-model", "usage": {"input_tokens": 9, "output_tokens": 7}}}
    else:
        yield "message_start", {"type": "message_start", "message": {
            "model": "test-model", "usage": {"input_tokens": 9, "output_tokens": 1}}}
        for p in pieces:
            yield "content_block_delta", {"type": "content_block_delta", "index": 0,
                                          "delta": {"type": "text_delta", "text": p}}
        yield "message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn"},
                                "usage": {"output_tokens": 7}}
        yield "message_stop", {"type": "message_stop"}


class Handler(http.server.BaseHTTPRequestHandler):
    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        json.loads(body)
        kind = self.path.split("/")[1]
        if CANARY not in str(self.headers) or kind == "refuse":
            self.send_response(401)
            self.end_headers()
            self.wfile.write(json.dumps({"error": {"message": "wrong key " + CANARY}}).encode())
            return
        number = count[kind] = count.get(kind, 0) + 1
        self.send_response(200)
        self.send_header("content-type", "text/event-stream")
        self.end_headers()
        for name, data in events(kind, writer.answer(KINDS[min(number, len(KINDS)) - 1])):
            text = data if isinstance(data, str) else json.dumps(data)
            self.wfile.write(((f"event: {name}\n" if name else "") + f"data: {text}\n\n").encode())


def generate(kind, path):
    prefix = "ANTHROPIC" if kind == "anthropic" else "OPENAI"
    environment = {"PATH": os.environ["PATH"], "HOME": folder, "no_proxy": "127.0.0.1",
                   prefix + "_API_KEY": CANARY}
    p = subprocess.Popen([tool, "generate", "--generator=" + kind, "--model=test-model",
                          f"--base-url=http://127.0.0.1:{server.server_port}/{path}",
                          "--without-nvcc", "--kernel-dir", os.path.join(folder, path), source, "--", "-std=c++17"],
                         env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
    assert CANARY not in open(f"/proc/{p.pid}/cmdline").read()
    out = p.communicate()[0]
    assert CANARY not in out, out
    return p.returncode, out


server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
for kind in ["openai", "openai-responses", "anthropic"]:
    code, out = generate(kind, kind)
    for line in out.splitlines():
        print(kind + ": " + line.replace("[autokernel] ", ""))
    assert code == 0, code
code, out = generate("openai", "refuse")
print("refused key: exit", code, out)
for f in pathlib.Path(folder).rglob("*"):
    assert not f.is_file() or CANARY.encode() not in f.read_bytes(), f
print("good")
