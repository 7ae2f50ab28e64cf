"""Credentials, addresses and consent of the requests that schemathesis sends."""

import ipaddress
import os
import secrets

import schemathesis

tokens = {}

# schemathesis sends images of other types as they are, and does not know this one.
schemathesis.serializer.alias("image/heic", "application/octet-stream")


@schemathesis.hook
def before_call(context, case, kwargs):
    # Requests with wrong keys would soon exhaust the limit of one address. Hypothesis makes `random` repeat itself.
    case.headers["X-Forwarded-For"] = str(ipaddress.IPv4Address(secrets.randbits(32)))
    # Consent must be true. The document has no constants that are true or false.
    if isinstance(case.body, dict) and case.body.get("consent") is False:
        case.body["consent"] = True


@schemathesis.hook
def after_call(context, case, response):
    if case.operation.label == "POST /liveness" and response.status_code == 200:
        session = response.json()["data"]
        tokens[session["sessionId"]] = session["accessToken"]


@schemathesis.auth(refresh_interval=None)
class Credentials:
    """The access token of a session for calls about that session, and the API key for all others."""

    def get(self, case, context):
        if all("sessionToken" in scheme for scheme in case.operation.definition.raw["security"]):
            return tokens.get(case.path_parameters.get("sessionId"), os.environ["API_KEY"])
        return os.environ["API_KEY"]

    def set(self, case, data, context):
        case.headers["Authorization"] = f"Bearer {data}"
