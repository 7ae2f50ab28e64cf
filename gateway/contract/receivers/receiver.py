"""Receives webhooks with Python 3.9 or later and no dependencies: WEBHOOK_SECRET=whsec_... python3 receiver.py"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

# Take this from your own records for each session. Here, one setting applies to all sessions.
WITH_REFERENCE = os.environ.get("WITH_REFERENCE") == "true"
TOLERANCE_SECONDS = 300
MAX_BYTES = 64 * 1024

# The decoded base64 after whsec_. With an empty key, anyone could sign.
KEY = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "")[len("whsec_"):])
if len(KEY) < 24:
    sys.exit("WEBHOOK_SECRET must be the secret of the endpoint: whsec_...")


def is_genuine(headers, body: bytes) -> bool:
    """body: raw bytes, before any parsing."""
    sent_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    digest = hmac.new(KEY, f"{sent_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # During a secret rotation there are several signatures. One valid signature is enough.
    signatures = headers.get("webhook-signature", "").split(" ")
    signed = any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)
    fresh = sent_at.isdecimal() and abs(time.time() - int(sent_at)) <= TOLERANCE_SECONDS
    return signed and fresh


def is_verified(event: dict, with_reference: bool) -> bool:
    """True if the user is live and, with a reference image, matches it."""
    result, match = event.get("result"), event.get("match")
    is_live = result is not None and result["isLive"] is True
    is_match = match is not None and match["isMatch"] is True
    return is_live and (is_match or (not with_reference and match is None))


def handle(event: dict, event_id: str) -> None:
    # An event may arrive more than once: store the ids that you have handled.
    decision = "verified" if is_verified(event, WITH_REFERENCE) else "not verified"
    print(event_id, event["eventType"], event["sessionId"], decision, flush=True)


class Receiver(BaseHTTPRequestHandler):
    def do_POST(self):
        length = self.headers.get("Content-Length", "0")
        if not length.isdecimal() or int(length) > MAX_BYTES:
            return self.respond(413, {"error": "Payload too large"})
        body = self.rfile.read(int(length))
        if not body:
            return self.respond(400, {"error": "Missing payload"})
        if not is_genuine(self.headers, body):
            return self.respond(401, {"error": "Invalid signature"})
        try:
            event = json.loads(body)
        except ValueError:
            return self.respond(400, {"error": "Invalid JSON"})
        try:
            handle(event, self.headers["webhook-id"])
        except Exception:
            return self.respond(500, {"error": "Internal error"})
        return self.respond(200, {"status": "received"})

    def respond(self, status: int, content: dict) -> None:
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
