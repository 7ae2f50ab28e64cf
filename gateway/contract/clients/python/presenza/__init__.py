"""Client of the Presenza API, for a backend that holds the API key."""

from . import models
from .client import Presenza
from .errors import PresenzaError
from .images import Image
from .webhooks import WebhookVerificationError, is_verified, verify_webhook

__all__ = [
    "Image",
    "Presenza",
    "PresenzaError",
    "WebhookVerificationError",
    "is_verified",
    "models",
    "verify_webhook",
]
