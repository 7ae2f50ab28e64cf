"""Verifies webhook signatures and decides who may pass."""

import base64
import hashlib
import hmac
import time
from typing import Callable, Mapping, Union

from .models import LivenessSession, WebhookEvent

TOLERANCE_SECONDS = 300


class WebhookVerificationError(Exception):
    """A webhook that the service did not send, or sent too long ago. Respond with status 401."""


def verify_webhook(
    secret: str, headers: Mapping[str, str], body: Union[bytes, str], *, now: Callable[[], float] = time.time
) -> WebhookEvent:
    """Return the event of a webhook with a valid signature.

    `secret` is whsec_ and base64. `body` is the raw body as bytes or text, before any parsing. `now` is the clock, in seconds since
    1970. During a secret rotation, a webhook verifies with the old secret and with the new one.

    Raises WebhookVerificationError if the signature is invalid, or the timestamp is more than five minutes off.
    """
    values = {name.lower(): value for name, value in headers.items()}
    sent_id, sent_at = values.get("webhook-id", ""), values.get("webhook-timestamp", "")
    if not sent_at.isdecimal() or abs(now() - int(sent_at)) > TOLERANCE_SECONDS:
        raise WebhookVerificationError("The timestamp of the webhook is too far from the clock.")
    raw = body.encode() if isinstance(body, str) else bytes(body)
    # HMAC-SHA256 over id, timestamp and body, joined by dots (standard-webhooks.md).
    digest = hmac.new(_key_of(secret), f"{sent_id}.{sent_at}.".encode() + raw, hashlib.sha256).digest()
    expected = b"v1," + base64.b64encode(digest)
    signatures = values.get("webhook-signature", "").encode().split(b" ")
    if not any(hmac.compare_digest(one, expected) for one in signatures):
        raise WebhookVerificationError("The signature of the webhook is invalid.")
    return WebhookEvent.model_validate_json(raw)


def _key_of(secret: str) -> bytes:
    key = base64.b64decode(secret[len("whsec_") :]) if secret.startswith("whsec_") else b""
    # With an empty key, anyone could sign.
    if len(key) < 24:
        raise ValueError("The secret must be that of the endpoint: whsec_...")
    return key


def is_verified(outcome: Union[WebhookEvent, LivenessSession], *, with_reference: bool) -> bool:
    """Return whether to let the user in: the user is live and, with a reference image, matches it.

    `outcome` is an event with a verified signature, or the session as your backend read it. `with_reference` says
    whether your backend created the session with imageToCompare, from your own records.
    """
    is_live = outcome.result is not None and outcome.result.is_live
    is_match = outcome.match is not None and outcome.match.is_match
    return is_live and (is_match or (not with_reference and outcome.match is None))
