#!/usr/bin/env python3
"""test_providers.py PROBE [NAME]: every scenario of script.py through the probe.

Each run has a canary for a key; it may be in no output, file or argument."""
import json
import os
import pathlib
import signal
import subprocess
import sys
import tempfile
import threading
import time
import unittest

from script import SCRIPT
from server import Server, wire

PROBE = os.path.abspath(sys.argv.pop(1))
CANARY = "sk-canary-7c1f/9+Zq=" + os.urandom(8).hex()
KINDS = {"openai": "OPENAI", "openai-responses": "OPENAI", "anthropic": "ANTHROPIC"}
TEXT = SCRIPT["text"]
server = Server(SCRIPT)
runs = 0


class Run:
    """One run of the probe in a folder of its own."""

    def __init__(self, kind, scenario, *args, seconds=20, key=CANARY, env=(), question="Größe?\xff",
                 url=None, stop_after=None):
        global runs
        runs += 1
        self.run = str(runs)
        base = url or server.url(scenario, self.run)
        variables = {"PATH": os.environ["PATH"], "no_proxy": "127.0.0.1"}
        variables[KINDS[kind] + "_BASE_URL"] = base
        if key:
            variables[KINDS[kind] + "_API_KEY"] = key
        variables.update(dict(env))
        with tempfile.TemporaryDirectory() as folder:
            start = time.monotonic()
            p = subprocess.Popen([PROBE, kind, "test-model", "timeout=15", *args], cwd=folder,
                                 env=variables, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
                                 stderr=subprocess.PIPE)
            arguments = pathlib.Path(f"/proc/{p.pid}/cmdline")
            self.cmdline = arguments.read_bytes() if arguments.exists() else b""
            if stop_after:
                threading.Timer(stop_after, p.send_signal, [signal.SIGINT]).start()
            try:
                out, err = p.communicate(question.encode("latin-1", "replace"), timeout=seconds)
            except subprocess.TimeoutExpired:
                p.kill()
                out, err = p.communicate()
                raise AssertionError(f"{kind} {scenario}: hangs; {out} {err}")
            self.seconds = time.monotonic() - start
            files = b"".join(f.read_bytes() for f in pathlib.Path(folder).rglob("*") if f.is_file())
        self.code, self.out, self.err = p.returncode, out.decode(), err.decode()
        self.reply = json.loads(self.out) if self.code == 0 and out.startswith(b"{") else None
        everything = out + err + files + self.cmdline
        if CANARY.encode() in everything:
            raise AssertionError(f"{kind} {scenario}: the key is in {everything[:2000]}")
        if self.code not in (0, 1, 3):
            raise AssertionError(f"{kind} {scenario}: exit {self.code}: {self.err}")

    def requests(self):
        return [r for r in server.requests if r["run"] == self.run]


class Replies(unittest.TestCase):
    """The same for all three interfaces."""

    def ask(self, kind, name, *args, **more):
        return Run(kind, f"{kind}.{name}", *args, **more)

    def test_good(self):
        for kind in KINDS:
            for name in ("plain", "bytes", "gzip", "whole"):
                with self.subTest(kind=kind, name=name):
                    run = self.ask(kind, name)
                    self.assertEqual(run.code, 0, run.err)
                    self.assertEqual(run.reply["text"], TEXT)
                    self.assertEqual((run.reply["input"], run.reply["output"]), (11, 7))
                    self.assertEqual(run.reply["model"], "test-model")
                    self.assertEqual(run.reply["stop"], "end")
                    self.assertEqual(run.reply["retries"], 0)
                    if name != "whole":
                        self.assertEqual(run.reply["cached"], 5)
                    self.assertEqual([r["key"] for r in run.requests()], [CANARY])

    def test_cut_at_every_byte(self):
        for kind in KINDS:
            stream = wire(SCRIPT["streams"][kind])
            run = self.ask(kind, "cut", "retries=100000", "delay=0", "timeout=60", seconds=60)
            with self.subTest(kind=kind):
                self.assertEqual(run.code, 0, run.err)
                self.assertEqual(run.reply["text"], TEXT)
                # Not before the byte that ends the text has been sent.
                last = max(stream.rfind(end) for end in (b'"finish_reason": "stop"', b"event: response.completed",
                                                         b"event: message_stop"))
                self.assertGreater(run.reply["retries"], last)
                self.assertLessEqual(run.reply["retries"], len(stream))

    def test_ends(self):
        for kind in KINDS:
            run = self.ask(kind, "refusal")
            self.assertEqual((run.reply["stop"], run.reply["text"]), ("refusal", "I can't."), kind)
            run = self.ask(kind, "length")
            self.assertEqual((run.reply["stop"], run.reply["text"]), ("length", "Ker"), kind)

    def test_retries(self):
        for kind in KINDS:
            for name, count in (("error", 1), ("badjson", 1), ("429bare", 2), ("529", 2)):
                with self.subTest(kind=kind, name=name):
                    run = self.ask(kind, name)
                    self.assertEqual(run.code, 0, run.err)
                    self.assertEqual((run.reply["text"], run.reply["retries"]), (TEXT, count))

    def test_retry_after(self):
        for kind in KINDS:
            run = self.ask(kind, "429")
            self.assertEqual(run.reply["retries"], 1, run.err)
            first, second = [r["time"] for r in run.requests()]
            self.assertGreaterEqual(second - first, 0.99)

    def test_errors(self):
        for kind in KINDS:
            for name, code, words, asked in (
                    ("401", 1, ["HTTP 401", "Incorrect API key provided: [key].", "check the key"], 1),
                    ("401long", 1, ["HTTP 401"], 1),
                    ("errorbody", 1, ["invalid_request_error: no, [key]"], 1),
                    ("503", 3, ["HTTP 503", "busy [key]", "after 2 retries"], 3)):
                with self.subTest(kind=kind, name=name):
                    run = self.ask(kind, name, "retries=2")
                    self.assertEqual(run.code, code, run.err)
                    for word in words:
                        self.assertIn(word, run.err)
                    self.assertEqual(len(run.requests()), asked)
                    self.assertNotIn(CANARY[:12], run.err)

    def test_key_in_reply(self):
        for kind in KINDS:
            run = self.ask(kind, "echo")
            self.assertIn("[key] für", run.reply["text"])


class Servers(unittest.TestCase):
    """What any server may do."""

    def test_gone_and_empty(self):
        for name in ("drop", "empty"):
            run = Run("openai", name)
            self.assertEqual((run.reply or {}).get("retries"), 1, run.err)

    def test_nonsense(self):
        for name, words in (("html", "Please log in [key]"), ("utf8", "not JSON"), ("deep", "not JSON")):
            run = Run("openai", name, "retries=1")
            self.assertEqual(run.code, 3, name)
            self.assertIn(words, run.err)
            self.assertNotIn("\x1b", run.err)
            self.assertLess(len(run.err), 1200)

    def test_too_large(self):
        for name, words in (("large", "larger than 16 MB"), ("largejson", "larger than 64 MB"),
                            ("bomb", "larger than 64 MB"), ("largetext", "longer than 8 MB")):
            run = Run("openai", name, "timeout=30", seconds=40)
            self.assertEqual(run.code, 1, run.err)
            self.assertIn(words, run.err)

    def test_not_again(self):
        for name, words in (("later", "later than allowed"), ("quota", "insufficient_quota"),
                            ("redirect", "redirections"), ("detail", "field required [key]")):
            run = Run("openai", name)
            self.assertNotEqual(run.code, 0, name)
            self.assertIn(words, run.err)
            self.assertEqual(len(run.requests()), 1, name)

    def test_slow(self):
        run = Run("openai", "slow", "timeout=1")
        self.assertEqual(run.code, 1)
        self.assertIn("--reply-timeout", run.err)
        self.assertLess(run.seconds, 5)

    def test_stop(self):
        run = Run("openai", "slow", stop_after=0.7)
        self.assertEqual(run.code, 1)
        self.assertIn("stopped", run.err)
        self.assertLess(run.seconds, 2.5)

    def test_nobody(self):
        run = Run("openai", "", "retries=1", url="http://127.0.0.1:1")
        self.assertEqual(run.code, 3)
        self.assertIn("check the base URL", run.err)

    def test_proxy(self):
        """An http proxy gets the whole URL; this one forwards nothing."""
        run = Run("openai", "", "retries=0", url="http://model.invalid/v1",
                  env={"http_proxy": "http://127.0.0.1:1"})
        self.assertIn("127.0.0.1 port 1", run.err)


class Settings(unittest.TestCase):
    def test_without_key(self):
        run = Run("openai", "openai.plain", key=None)
        self.assertEqual(run.code, 0, run.err)
        self.assertEqual(run.requests()[0]["key"], "")
        run = Run("openai", "", key=None, url="https://api.openai.com/v1")
        self.assertIn("OPENAI_API_KEY", run.err)
        run = Run("anthropic", "anthropic.plain", "key=MY_KEY", key=None)
        self.assertIn("MY_KEY", run.err)
        run = Run("anthropic", "anthropic.plain", "key=MY_KEY", key=None, env={"MY_KEY": CANARY})
        self.assertEqual(run.requests()[0]["key"], CANARY)

    def test_hugging_face(self):
        run = Run("openai", "", "show", key=None, url="https://router.huggingface.co/v1",
                  env={"HF_TOKEN": CANARY})
        self.assertIn("Authorization: Bearer [key]", run.out)

    def test_bad_settings(self):
        for url in ("ftp://x", "http://me:secret@host/v1", "https://h/v1?key=1", "http://a b"):
            self.assertEqual(Run("openai", "", url=url).code, 1, url)
        self.assertEqual(Run("openai", "openai.plain", key="two\nlines").code, 1)

    def test_show_is_what_is_sent(self):
        for kind in KINDS:
            shown = Run(kind, f"{kind}.plain", "show").out
            head, body = shown.split("\n\n", 1)
            self.assertIn("[key]", head)
            sent = Run(kind, f"{kind}.plain").requests()[0]["body"]
            self.assertEqual(json.loads(body), json.loads(sent))


class Wrong(unittest.TestCase):
    def test_z_requests(self):
        """All requests up to here were as they should be (runs last)."""
        self.assertGreater(len(server.requests), 0)
        self.assertEqual(server.wrong, [])


if __name__ == "__main__":
    unittest.main()
