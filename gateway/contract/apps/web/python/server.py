"""Python 3.9 or later, without packages: python3 python/server.py"""

import base64
import hashlib
import hmac
import json
import os
import sys
import time
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from urllib.error import HTTPError
from urllib.request import Request, urlopen

API_URL, API_KEY = os.environ.get("API_URL"), os.environ.get("API_KEY")
if not API_URL or not API_KEY:
    raise SystemExit("Set API_URL and API_KEY.")
REFERENCE_PHOTO = os.environ.get("REFERENCE_PHOTO")
TEST_OUTCOME = os.environ.get("TEST_OUTCOME")
PORT = int(os.environ.get("PORT", "3000"))
RETURN_URL = os.environ.get("RETURN_URL", f"http://127.0.0.1:{PORT}/check-done.html")
PUBLIC = Path(__file__).resolve().parent.parent / "public"
MAX_BYTES = 64 * 1024
TOLERANCE_SECONDS = 300
# The decoded base64 after whsec_. With an empty key, anyone could sign.
try:
    KEY = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "")[len("whsec_"):])
except ValueError:
    KEY = b""
if len(KEY) < 24:
    raise SystemExit("WEBHOOK_SECRET must be the secret of the endpoint: whsec_...")

# Checks by session id. Use your database in production: this dict is lost on restart.
checks = {}
OUTCOMES = {
    "session.failed": "failed",
    "session.cancelled": "cancelled",
    "session.expired": "expired",
}


# region create
def create_check(user_id):
    session = {"metadata": {"userId": user_id}, "returnUrl": RETURN_URL}
    if REFERENCE_PHOTO:
        # Use the photo of this user from your records. Without a reference image, the check verifies
        # that the user is live, but not who they are.
        photo = base64.b64encode(Path(REFERENCE_PHOTO).read_bytes()).decode()
        session["imageToCompare"] = "data:image/jpeg;base64," + photo
    if TEST_OUTCOME:
        session["testOutcome"] = TEST_OUTCOME  # with a test key only
    headers = {"Authorization": f"Bearer {API_KEY}", "Content-Type": "application/json"}
    request = Request(f"{API_URL}/liveness", json.dumps(session).encode(), headers)
    with urlopen(request, timeout=10) as response:
        data = json.load(response)["data"]
    checks[data["sessionId"]] = {
        "userId": user_id,
        "withReference": "imageToCompare" in session,
        "status": "pending",
    }
    return {name: data[name] for name in ("sessionId", "verificationUrl", "accessToken")}
# endregion


# region verify
def is_genuine(body, headers):
    """body: raw bytes, before any parsing"""
    sent_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    digest = hmac.new(KEY, f"{sent_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # During a secret rotation there are several signatures. One valid signature is enough.
    signatures = headers.get("webhook-signature", "").split(" ")
    signed = any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)
    return signed and abs(time.time() - int(sent_at)) <= TOLERANCE_SECONDS
# endregion


# region decide
def is_verified(event, with_reference):
    """True if the user is live and, with a reference image, matches it."""
    result, match = event.get("result"), event.get("match")
    is_live = result is not None and result["isLive"] is True
    is_match = match is not None and match["isMatch"] is True
    return is_live and (is_match or (not with_reference and match is None))


def receive(event):
    """Checks pass only here."""
    check = checks.get(event.get("sessionId"))
    # An event may arrive twice. The first result is final.
    if check is None or check["status"] != "pending":
        return
    if event["eventType"] == "session.completed":
        check["status"] = "passed" if is_verified(event, check["withReference"]) else "failed"
    elif event["eventType"] in OUTCOMES:
        check["status"] = OUTCOMES[event["eventType"]]
# endregion


def start_check(user_id):
    try:
        return 200, create_check(user_id)
    except HTTPError as error:
        response = json.load(error)
        reason = f"{response['error']['code']} ({response['requestId']})"
    except OSError as error:
        reason = str(error)
    print(f"The check could not be started: {reason}", file=sys.stderr)
    return 500, {"error": "The check could not be started."}


def receive_webhook(body, headers):
    if len(body) > MAX_BYTES:
        return 413, {"error": "Payload too large"}
    if not body:
        return 400, {"error": "Missing payload"}
    if not is_genuine(body, headers):
        return 401, {"error": "Invalid signature"}
    try:
        event = json.loads(body)
    except ValueError:
        return 400, {"error": "Invalid JSON"}
    if not isinstance(event, dict):
        return 400, {"error": "Invalid event"}
    receive(event)
    return 200, {"status": "received"}


class Handler(SimpleHTTPRequestHandler):
    # Get the user from your own authentication.
    user_id = "user-4711"

    def __init__(self, *args):
        super().__init__(*args, directory=PUBLIC)

    def do_GET(self):
        path = self.path.split("?")[0]
        if not path.startswith("/checks/"):
            return super().do_GET()
        check = checks.get(path[len("/checks/"):])
        is_own = check is not None and check["userId"] == self.user_id
        return self.reply(200, {"status": check["status"] if is_own else "unknown"})

    def do_POST(self):
        length = self.headers.get("Content-Length", "")
        body = self.rfile.read(min(int(length), MAX_BYTES + 1) if length.isdecimal() else 0)
        if self.path == "/checks":
            return self.reply(*start_check(self.user_id))
        if self.path == "/webhooks":
            return self.reply(*receive_webhook(body, self.headers))
        return self.reply(404, {"error": "Not found"})

    def reply(self, status, content):
        body = json.dumps(content).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_):
        """Request lines hold session ids and query strings, which do not belong in a log."""


server = ThreadingHTTPServer(("127.0.0.1", PORT), Handler)
print(f"listening on http://127.0.0.1:{PORT}", flush=True)
server.serve_forever()
