"""The error that the client raises."""

import time
from email.utils import parsedate_to_datetime
from typing import Any, Mapping, Optional


class PresenzaError(Exception):
    """A rejected or failed call. It contains neither the API key nor any part of the request.

    `code` is a code of the API, or CONNECTION_FAILED, TIMED_OUT or UNEXPECTED_RESPONSE if the service did not send the
    error. A request that cannot be sent has the code with which the service would reject it: INVALID_IMAGE,
    INVALID_API_KEY or INVALID_PARAMETERS. `reason` names the cause within the code, and `param` the field or header at fault. `details` has all fields that the
    service sent. `status` is None if there was no response.
    """

    def __init__(
        self,
        details: Mapping[str, Any],
        *,
        status: Optional[int] = None,
        request_id: Optional[str] = None,
        retry_after: Optional[float] = None,
    ) -> None:
        self.details = details
        self.code: str = details["code"]
        self.reason: Optional[str] = details.get("reason")
        self.param: Optional[str] = details.get("param")
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        """Seconds to wait before the next attempt, if the response has them."""
        super().__init__(f"{self.code}: {details['message']} (status {status}, request {request_id})")


def unsent(code: str, message: str, **details: Any) -> PresenzaError:
    """Return the error of a request that cannot be sent."""
    return PresenzaError({"code": code, "message": message, **details})


def error_of(status: int, headers: Mapping[str, str], body: Any) -> PresenzaError:
    """Return the error of a response. The text of a response from elsewhere is left out, because it may be anything."""
    details = body.get("error") if isinstance(body, dict) else None
    request_id = headers.get("x-request-id")
    if isinstance(details, dict) and all(isinstance(details.get(name), str) for name in ("code", "message")):
        request_id = body.get("requestId")
    else:
        message = f"The response with status {status} is not from this API."
        details = {"code": "UNEXPECTED_RESPONSE", "message": message}
    retry_after = _parse_retry_after(headers.get("retry-after", ""))
    return PresenzaError(details, status=status, request_id=request_id, retry_after=retry_after)


def _parse_retry_after(value: str) -> Optional[float]:
    """Return the seconds of a Retry-After header, given in seconds or as an HTTP date (RFC 9110, 10.2.3)."""
    if value.isdecimal():
        return float(value)
    try:
        return max(0.0, parsedate_to_datetime(value).timestamp() - time.time())
    except (TypeError, ValueError, OverflowError):
        return None
