"""server.py, Python 3.9 or later with Flask and requests: flask --app server run --port 3000"""

import base64
import hashlib
import hmac
import json
import os
import time

import requests
from flask import Flask, jsonify, request
from werkzeug.exceptions import HTTPException
from werkzeug.serving import WSGIRequestHandler

API_URL, API_KEY = os.environ.get("API_URL"), os.environ.get("API_KEY")
if not API_URL or not API_KEY:
    raise SystemExit("Set API_URL and API_KEY.")
# Without a reference photo, the check verifies that the user is live, but not who they are.
REFERENCE_PHOTO = os.environ.get("REFERENCE_PHOTO")
RETURN_URL = os.environ.get("RETURN_URL", "https://app.example.com/check-done")
TOLERANCE_SECONDS = 300
# The decoded base64 after whsec_. With an empty key, anyone could sign.
try:
    KEY = base64.b64decode(os.environ.get("WEBHOOK_SECRET", "")[len("whsec_"):])
except ValueError:
    KEY = b""
if len(KEY) < 24:
    raise SystemExit("WEBHOOK_SECRET must be the secret of the endpoint: whsec_...")

# Request lines hold session ids and query strings, which do not belong in a log.
WSGIRequestHandler.log_request = lambda *_: None
app = Flask(__name__)
app.config["MAX_CONTENT_LENGTH"] = 64 * 1024
# Checks by session id. Use your database in production: this dict is lost on restart.
checks = {}
OUTCOMES = {
    "session.failed": "failed",
    "session.cancelled": "cancelled",
    "session.expired": "expired",
}


def current_user():
    # Get the user from your own authentication.
    return "user-4711"


@app.errorhandler(HTTPException)
def as_json(error):
    return jsonify(error=error.name), error.code


def not_started(reason):
    app.logger.error("The check could not be started: %s", reason)
    return jsonify(error="The check could not be started."), 500


@app.post("/checks")
def create_check():
    body = {"metadata": {"userId": current_user()}, "returnUrl": RETURN_URL}
    if REFERENCE_PHOTO is not None:
        # Use the photo of this user from your records.
        with open(REFERENCE_PHOTO, "rb") as photo:
            data = base64.b64encode(photo.read()).decode()
        body["imageToCompare"] = "data:image/jpeg;base64," + data
    try:
        response = requests.post(
            f"{API_URL}/liveness",
            headers={"Authorization": f"Bearer {API_KEY}"},
            json=body,
            timeout=10,
        ).json()
    except requests.RequestException as error:
        return not_started(type(error).__name__)
    if not response["success"]:
        return not_started(f"{response['error']['code']} ({response['requestId']})")
    session = response["data"]
    checks[session["sessionId"]] = {
        "userId": current_user(),
        "withReference": "imageToCompare" in body,
        "status": "pending",
    }
    return jsonify(sessionId=session["sessionId"], verificationUrl=session["verificationUrl"])


@app.get("/checks/<session_id>")
def read_check(session_id):
    check = checks.get(session_id)
    is_own = check is not None and check["userId"] == current_user()
    return jsonify(status=check["status"] if is_own else "unknown")


def is_genuine(body, headers):
    """body: raw bytes, before any parsing"""
    sent_id, sent_at = headers.get("webhook-id", ""), headers.get("webhook-timestamp", "")
    digest = hmac.new(KEY, f"{sent_id}.{sent_at}.".encode() + body, hashlib.sha256).digest()
    expected = "v1," + base64.b64encode(digest).decode()
    # During a secret rotation there are several signatures. One valid signature is enough.
    signatures = headers.get("webhook-signature", "").split(" ")
    signed = any(hmac.compare_digest(one.encode(), expected.encode()) for one in signatures)
    return signed and abs(time.time() - int(sent_at)) <= TOLERANCE_SECONDS


def is_verified(event, with_reference):
    """True if the user is live and, with a reference image, matches it."""
    result, match = event.get("result"), event.get("match")
    is_live = result is not None and result["isLive"] is True
    is_match = match is not None and match["isMatch"] is True
    return is_live and (is_match or (not with_reference and match is None))


@app.post("/webhooks")
def receive():
    body = request.get_data()
    if not body:
        return jsonify(error="Missing payload"), 400
    if not is_genuine(body, request.headers):
        return jsonify(error="Invalid signature"), 401
    try:
        event = json.loads(body)
    except ValueError:
        return jsonify(error="Invalid JSON"), 400
    if not isinstance(event, dict):
        return jsonify(error="Invalid event"), 400
    check = checks.get(event.get("sessionId"))
    # An event may arrive twice. The first result is final. Checks pass only here.
    if check is not None and check["status"] == "pending":
        if event["eventType"] == "session.completed":
            check["status"] = "passed" if is_verified(event, check["withReference"]) else "failed"
        elif event["eventType"] in OUTCOMES:
            check["status"] = OUTCOMES[event["eventType"]]
    return jsonify(status="received")
