"""A server that speaks for OpenAI and Anthropic: checks requests, plays replies.

The base URL http://127.0.0.1:PORT/SCENARIO/RUN picks a scenario of the script;
RUN tells runs apart. Each scenario is a list of replies, the last one repeated:
  status, headers, type   of the HTTP reply (200, {}, text/event-stream)
  stream | body           name of a stream in the script, or text or JSON; {KEY}
                          becomes the key that was sent
  cut                     bytes to send before the connection is closed; "attempt": one more each time
  piece, delay            bytes in one piece, seconds between pieces
  gzip                    pack the body
  filler                  so many bytes of body
"""
import collections
import gzip
import http.server
import json
import sys
import threading
import time
import traceback

PATHS = {"/chat/completions": "openai", "/responses": "openai-responses",
         "/v1/messages": "anthropic"}


def wire(events):
    """A stream's bytes: pairs of a name (or null) and data."""
    out = ""
    for name, data in events:
        if name:
            out += f"event: {name}\n"
        text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
        out += f"data: {text}\n\n"
    return out.encode()


def check(kind, headers, body):
    """What is wrong with a request; empty: nothing."""
    wrong = []

    def expect(condition, text):
        if not condition:
            wrong.append(text)
    expect(headers.get("content-type") == "application/json", "content-type")
    expect("gzip" in headers.get("accept-encoding", ""), "accept-encoding")
    expect(body.get("stream") is True, "stream")
    expect(isinstance(body.get("model"), str), "model")
    if kind == "anthropic":
        expect(headers.get("anthropic-version") == "2023-06-01", "anthropic-version")
        expect("authorization" not in headers, "authorization")
        expect(body.get("max_tokens") == 1000, "max_tokens")
        expect(body.get("system", [{}])[0].get("cache_control") == {"type": "ephemeral"},
               "cache_control")
        expect([m["role"] for m in body.get("messages", [])] == ["user"], "messages")
    elif kind == "openai":
        expect(body.get("max_tokens") == 1000, "max_tokens")
        expect(body.get("stream_options") == {"include_usage": True}, "stream_options")
        expect([m["role"] for m in body.get("messages", [])] == ["system", "user"], "messages")
    else:
        expect(body.get("max_output_tokens") == 1000, "max_output_tokens")
        expect(body.get("instructions") == "Write kernels.", "instructions")
        expect(body.get("store") is False, "store")
        expect([m["role"] for m in body.get("input", [])] == ["user"], "input")
    return wrong


class Handler(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *args):
        pass

    def do_POST(self):
        _, scenario, run, rest = self.path.split("/", 3)
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        headers = {k.lower(): v for k, v in self.headers.items()}
        key = headers.get("x-api-key") or headers.get("authorization", "").removeprefix("Bearer ")
        kind = PATHS.get("/" + rest)
        server = self.server
        with server.lock:
            number = server.count[scenario, run]
            server.count[scenario, run] += 1
            server.requests.append({"run": run, "kind": kind, "key": key, "body": body.decode(),
                                    "time": time.monotonic()})
        try:
            wrong = check(kind, headers, json.loads(body)) if kind else ["path " + self.path]
        except (ValueError, TypeError, AttributeError, LookupError) as e:
            wrong = [repr(e)]
        if wrong:
            server.wrong.append((scenario, wrong))
        replies = server.script["scenarios"][scenario]
        try:
            self.play(replies[min(number, len(replies) - 1)], key, number)
        except OSError:
            pass  # the client had enough
        self.close_connection = True

    def play(self, reply, key, number):
        if reply.get("drop"):
            return
        data = self.bytes_of(reply, key)
        if reply.get("gzip"):
            data = gzip.compress(data)
        self.send_response(reply.get("status", 200))
        self.send_header("content-type", reply.get("type", "text/event-stream"))
        self.send_header("transfer-encoding", "chunked")
        if reply.get("gzip"):
            self.send_header("content-encoding", "gzip")
        for name, value in reply.get("headers", {}).items():
            self.send_header(name, value)
        self.end_headers()
        cut = number if reply.get("cut") == "attempt" else reply.get("cut", len(data))
        piece = reply.get("piece", 1 << 16)
        for at in range(0, min(cut, len(data)), piece):
            part = data[at:min(at + piece, cut)]
            self.wfile.write(b"%x\r\n%s\r\n" % (len(part), part))
            self.wfile.flush()
            time.sleep(reply.get("delay", 0))
        if cut >= len(data):
            self.wfile.write(b"0\r\n\r\n")

    def bytes_of(self, reply, key):
        if "filler" in reply:
            return reply.get("body", "").encode() + b"x" * reply["filler"]
        if "stream" in reply:
            return wire(self.server.script["streams"][reply["stream"]])
        body = reply.get("body", "")
        if "hex" in reply:
            return bytes.fromhex(reply["hex"])
        text = body if isinstance(body, str) else json.dumps(body)
        return text.replace("{KEY}", key).encode()


class Server(http.server.ThreadingHTTPServer):
    request_queue_size = 128
    daemon_threads = True

    def handle_error(self, request, address):
        if not isinstance(sys.exc_info()[1], OSError):  # clients go away in these tests
            self.wrong.append(("server", [traceback.format_exc()]))

    def __init__(self, script):
        super().__init__(("127.0.0.1", 0), Handler)
        self.script, self.lock = script, threading.Lock()
        self.count, self.requests, self.wrong = collections.Counter(), [], []
        threading.Thread(target=self.serve_forever, daemon=True).start()

    def url(self, scenario, run):
        return f"http://127.0.0.1:{self.server_port}/{scenario}/{run}"
