"""Receives webhooks with Python 3.9 or later and nothing else: WEBHOOK_SECRET=whsec_... python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

SECRET = os.environ.get("WEBHOOK_SECRET", "")
TOLERANCE_SECONDS = 300
MAX_BYTES = 64 * 1024


def is_genuine(headers, body: bytes) -> bool:
    """body: as it was received, before any parsing."""
    # The key is the whole secret as text, whsec_ included.
    simple = "sha256=" + hmac.new(SECRET.encode(), body, hashlib.sha256).hexdigest()
    # This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
    sent_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    key = base64.b64decode(SECRET[len("whsec_"):])
    digest = hmac.new(key, f"{sent_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    standard = "v1," + base64.b64encode(digest).decode()
    signatures = headers.get("webhook-signature", "").split(" ")
    signed = any(hmac.compare_digest(one.encode(), standard.encode()) for one in signatures)
    fresh = sent_at.isdecimal() and abs(time.time() - int(sent_at)) <= TOLERANCE_SECONDS
    given = headers.get("X-Presenza-Signature", "")
    return hmac.compare_digest(given.encode(), simple.encode()) and signed and fresh


def handle(event: dict, event_id: str) -> None:
    # The same event may come more than once: remember the ids that you have handled.
    print(event_id, event["eventType"], event["sessionId"], event.get("result", ""), flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            return self.answer(413, {"error": "Payload too large"})
        body = self.rfile.read(int(length))
        if not body:
            return self.answer(400, {"error": "Missing payload"})
        if not is_genuine(self.headers, body):
            return self.answer(401, {"error": "Invalid signature"})
        try:
            event = json.loads(body)
        except ValueError:
            return self.answer(400, {"error": "Invalid JSON"})
        try:
            handle(event, self.headers["webhook-id"])
        except Exception:
            return self.answer(500, {"error": "Internal error"})
        return self.answer(200, {"status": "received"})

    def answer(self, status: int, content: dict) -> None:
        text = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)


if __name__ == "__main__":
    server = ThreadingHTTPServer(("", int(os.environ.get("PORT", "3000"))), Receiver)
    print(f"listening on {server.server_port}", flush=True)
    server.serve_forever()
