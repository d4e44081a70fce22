"""What the server of the provider tests says: streams, and scenarios that play them."""
import json

words = ["Kernel ", "für ", "日本", "語 𝒙", "\n```cuda\n", "x += 1;\n", "```\n"]
U = {"prompt_tokens": 11, "completion_tokens": 7, "total_tokens": 18, "prompt_tokens_details": {"cached_tokens": 5}}
chunk = lambda **k: {"id": "c", "object": "chat.completion.chunk", "created": 1, "model": "test-model", **k}
choice = lambda delta, end=None: [{"index": 0, "delta": delta, "finish_reason": end}]
chat = [[None, chunk(choices=choice({"role": "assistant", "content": ""}))]]
chat += [[None, chunk(choices=choice({"content": w}))] for w in words]
chat += [[None, chunk(choices=choice({}, "stop"))], [None, chunk(choices=[], usage=U)], [None, "[DONE]"]]
RU = {"input_tokens": 11, "output_tokens": 7, "total_tokens": 18, "input_tokens_details": {"cached_tokens": 5}}
resp = [["response.created", {"type": "response.created", "response": {"id": "r", "status": "in_progress", "error": None}}]]
resp += [["response.output_text.delta", {"type": "response.output_text.delta", "item_id": "m", "output_index": 0, "content_index": 0, "delta": w}] for w in words]
resp += [["response.completed", {"type": "response.completed", "response": {"id": "r", "status": "completed", "error": None, "model": "test-model", "usage": RU}}]]
D = lambda d: ["content_block_delta", {"type": "content_block_delta", "index": 0, "delta": d}]
ant = [["message_start", {"type": "message_start", "message": {"id": "m", "type": "message", "role": "assistant", "model": "test-model", "content": [], "stop_reason": None, "usage": {"input_tokens": 4, "cache_read_input_tokens": 5, "cache_creation_input_tokens": 2, "output_tokens": 1}}}],
       ["content_block_start", {"type": "content_block_start", "index": 0, "content_block": {"type": "text", "text": ""}}],
       ["ping", {"type": "ping"}], D({"type": "thinking_delta", "thinking": "hidden"})]
ant += [D({"type": "text_delta", "text": w}) for w in words]
ant += [["content_block_stop", {"type": "content_block_stop", "index": 0}],
        ["message_delta", {"type": "message_delta", "delta": {"stop_reason": "end_turn", "stop_sequence": None}, "usage": {"output_tokens": 7}}],
        ["message_stop", {"type": "message_stop"}]]
streams = {"openai": chat, "openai-responses": resp, "anthropic": ant}
streams["openai-refusal"] = [[None, chunk(choices=choice({"refusal": "I can't."}))], [None, chunk(choices=choice({}, "stop"))], [None, "[DONE]"]]
streams["openai-responses-refusal"] = [["r", {"type": "response.refusal.delta", "delta": "I can't."}], resp[-1]]
streams["anthropic-refusal"] = [ant[0], D({"type": "text_delta", "text": "I can't."}), ["message_delta", {"type": "message_delta", "delta": {"stop_reason": "refusal"}, "usage": {"output_tokens": 7}}], ant[-1]]
streams["openai-length"] = [[None, chunk(choices=choice({"content": "Ker"}, "length"))], [None, "[DONE]"]]
streams["openai-responses-length"] = [["r", {"type": "response.output_text.delta", "delta": "Ker"}], ["e", {"type": "response.incomplete", "response": {"status": "incomplete", "error": None, "incomplete_details": {"reason": "max_output_tokens"}}}]]
streams["anthropic-length"] = [ant[0], D({"type": "text_delta", "text": "Ker"}), ["message_delta", {"type": "message_delta", "delta": {"stop_reason": "max_tokens"}, "usage": {"output_tokens": 7}}], ant[-1]]
ERR = {"openai": {"error": {"message": "overloaded", "type": "server_error", "code": None}},
       "openai-responses": {"type": "error", "code": "server_error", "message": "overloaded"},
       "anthropic": {"type": "error", "error": {"type": "overloaded_error", "message": "overloaded"}}}
for k, e in ERR.items():
    streams[k + "-error"] = streams[k][:4] + [["error", e]]
    streams[k + "-badjson"] = streams[k][:3] + [[None, '{"half": ']] + streams[k][3:]
whole = {"openai": chunk(choices=[{"index": 0, "message": {"role": "assistant", "content": "".join(words)}, "finish_reason": "stop"}], usage=U),
  "openai-responses": {"status": "completed", "error": None, "model": "test-model", "usage": RU, "output": [{"type": "reasoning", "summary": []}, {"type": "message", "content": [{"type": "output_text", "text": "".join(words)}]}]},
  "anthropic": {"type": "message", "model": "test-model", "content": [{"type": "text", "text": "".join(words)}], "stop_reason": "end_turn", "usage": {"input_tokens": 11, "cache_read_input_tokens": 0, "output_tokens": 7}}}
J = "application/json"
S = {}
for k in ERR:
    ok = {"stream": k}
    S[k + ".plain"] = [ok]
    S[k + ".bytes"] = [{**ok, "piece": 1}]
    S[k + ".gzip"] = [{**ok, "gzip": True}]
    S[k + ".cut"] = [{**ok, "cut": "attempt"}]
    S[k + ".whole"] = [{"type": J, "body": whole[k]}]
    S[k + ".refusal"] = [{"stream": k + "-refusal"}]
    S[k + ".length"] = [{"stream": k + "-length"}]
    S[k + ".error"] = [{"stream": k + "-error"}, ok]
    S[k + ".badjson"] = [{"stream": k + "-badjson"}, ok]
    S[k + ".errorbody"] = [{"type": J, "body": {"error": {"type": "invalid_request_error", "message": "no, {KEY}"}}}]
    S[k + ".429"] = [{"status": 429, "type": J, "headers": {"retry-after": "1"}, "body": {"error": {"type": "rate_limit_error", "message": "slow down"}}}, ok]
    S[k + ".429bare"] = [{"status": 429, "body": "slow down"}] * 2 + [ok]
    S[k + ".529"] = [{"status": 529, "type": J, "body": {"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}}] * 2 + [ok]
    S[k + ".503"] = [{"status": 503, "type": "text/html", "body": "<html>busy {KEY}</html>"}]
    S[k + ".401"] = [{"status": 401, "type": J, "body": {"error": {"type": "authentication_error", "message": "Incorrect API key provided: {KEY}."}}}]
    S[k + ".401long"] = [{"status": 401, "type": J, "body": {"error": {"message": "a" * 590 + "{KEY}"}}}]
    S[k + ".echo"] = [{"type": J, "body": json.loads(json.dumps(whole[k]).replace("Kernel ", "{KEY} "))}]
S["drop"] = [{"drop": True}, {"stream": "openai"}]
S["empty"] = [{}, {"stream": "openai"}]
S["html"] = [{"type": "text/html", "body": "<html>Please log in {KEY}\u001b[31m</html>"}]
S["later"] = [{"status": 429, "headers": {"retry-after": "3600"}, "body": "{KEY} later"}]
S["quota"] = [{"status": 429, "type": J, "body": {"error": {"code": "insufficient_quota", "message": "You exceeded your quota"}}}]
S["redirect"] = [{"status": 307, "headers": {"location": "/openai.plain/redirected/chat/completions"}}]
S["slow"] = [{"stream": "openai", "piece": 1, "delay": 0.3}]
S["large"] = [{"filler": 50 << 20, "body": "data: "}]
S["largejson"] = [{"type": J, "filler": 70 << 20, "body": "{"}]
S["largetext"] = [{"type": J, "body": {"choices": [{"message": {"content": "y" * (9 << 20)}, "finish_reason": "stop"}]}}]
S["bomb"] = [{"type": J, "filler": 200 << 20, "body": "{", "gzip": True}]
S["utf8"] = [{"hex": b'data: {"choices":[{"delta":{"content":"\xff\xc3"}}]}\n\n'.hex()}]
S["deep"] = [{"type": J, "body": '{"a":' + "[" * 100000}]
S["detail"] = [{"status": 422, "type": J, "body": {"detail": [{"loc": ["body"], "msg": "field required {KEY}"}]}}]
SCRIPT = {"text": "".join(words), "streams": streams, "scenarios": S}
