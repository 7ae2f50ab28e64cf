"""Sends calls with retries. `operations.py`, generated from the contract, has the methods."""

import json
import random
import re
import time
import uuid
from functools import partial
from itertools import count
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Type, TypeVar
from urllib.parse import quote, urlencode, urlsplit

import urllib3
from pydantic import BaseModel, ValidationError

from .errors import PresenzaError, error_of, unsent
from .images import with_data_uris
from .operations import RETRYABLE, Operations

Response = TypeVar("Response", bound=BaseModel)

RETRYABLE_STATUSES = (408, 429, 502, 503, 504)
"""Statuses to retry if the code is unknown."""
BACKOFF_BASE, BACKOFF_CAP = 0.25, 8.0


class Presenza(Operations):
    """A client of the API. It is safe for use by several threads.

    `retries` is the maximum number of retries of a call. `timeout` limits a whole call, including retries, in seconds. A
    batch may take three times as long. Every method returns the envelope of the response or raises PresenzaError, and so
    does the constructor if the key or the URL is malformed.
    """

    def __init__(self, api_key: str, base_url: str, *, retries: int = 3, timeout: float = 60) -> None:
        self._authorization = f"Bearer {_header_value('api_key', api_key)}"
        self._base_url = _web_url(base_url)
        self._retries = retries
        self._timeout = timeout
        self._pool = urllib3.PoolManager(maxsize=32)

    def _call(
        self,
        response: Type[Response],
        method: str,
        path: str,
        *ids: str,
        query: Mapping[str, Any] = {},
        body: Mapping[str, Any] = {},
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
    ) -> Response:
        headers = {"Accept": "application/json", "Authorization": self._authorization}
        try:
            url = self._base_url + path.format(*(quote(str(one), safe="") for one in ids))
            if given := _without_none(query):
                url += f"?{urlencode(given)}"
            content = None
            if method == "POST":
                content = json.dumps(with_data_uris(_without_none(body))).encode()
        except (TypeError, ValueError, RecursionError) as cause:
            raise unsent("INVALID_PARAMETERS", "The arguments of the call cannot be sent as JSON.") from cause
        if method == "POST":
            headers["Content-Type"] = "application/json"
            headers["Idempotency-Key"] = _header_value("idempotency_key", idempotency_key or str(uuid.uuid4()))
        seconds = timeout or self._timeout * (3 if path == "/batch" else 1)
        envelope = self._repeat(partial(self._attempt, method, url, content, headers), seconds)
        try:
            return response.model_validate(envelope)
        except ValidationError:
            # The error would contain the response.
            raise error_of(200, {"x-request-id": str(envelope.get("requestId"))}, None) from None

    def _repeat(self, attempt: Callable[[float], Any], timeout: float) -> Any:
        """Repeat an attempt until it succeeds, fails permanently, or runs out of retries or time."""
        deadline = time.monotonic() + timeout
        retried = 0
        for failures in count():
            try:
                return attempt(deadline - time.monotonic())
            except PresenzaError as error:
                # A wait for the first request with the same Idempotency-Key is not a retry.
                if not (error.status == 409 and error.retry_after is not None):
                    if not _is_retryable(error) or retried >= self._retries:
                        raise
                    retried += 1
                # Full jitter, so that clients that were rejected together do not retry together.
                backoff = random.random() * min(BACKOFF_CAP, BACKOFF_BASE * 2**failures)
                delay = (error.retry_after or 0) + backoff
                # Fail now instead of waiting past the deadline.
                if time.monotonic() + delay >= deadline:
                    raise
                time.sleep(delay)

    def _attempt(
        self, method: str, url: str, content: Optional[bytes], headers: Mapping[str, str], timeout: float
    ) -> Any:
        deadline = time.monotonic() + timeout
        try:
            response = self._pool.request(
                method,
                url,
                body=content,
                headers=headers,
                # Not less than urllib3 accepts.
                timeout=urllib3.Timeout(total=max(timeout, 0.001)),
                retries=False,
                redirect=False,
                preload_content=False,
            )
            text = _read(response, deadline)
        # For urllib3, a refused connection is a timeout.
        except urllib3.exceptions.NewConnectionError as cause:
            raise _connection_failed() from cause
        except urllib3.exceptions.TimeoutError as cause:
            raise _timed_out() from cause
        except urllib3.exceptions.HTTPError as cause:
            raise _connection_failed() from cause
        try:
            body = json.loads(text)
        # Lists that are nested too deeply exhaust the stack.
        except (ValueError, RecursionError):
            body = None
        if 200 <= response.status < 300 and isinstance(body, dict) and body.get("success") is True:
            return body
        raise error_of(response.status, response.headers, body)

    @staticmethod
    def _pages(read: Callable[..., Any], *ids: str, **options: Any) -> Iterator[Any]:
        """Yield the items of a list. A page is read when its first item is needed."""
        while True:
            page = read(*ids, **options).data
            yield from page.items
            if page.next_cursor is None:
                return
            options["cursor"] = page.next_cursor


def _read(response: urllib3.BaseHTTPResponse, deadline: float) -> bytes:
    """Read the body until the deadline. The timeout of the socket applies to each piece, however many there are."""
    pieces = []
    try:
        while piece := response.read1(2**16):
            pieces.append(piece)
            if time.monotonic() >= deadline:
                raise _timed_out()
    except BaseException:
        response.close()
        raise
    finally:
        response.release_conn()
    return b"".join(pieces)


def _connection_failed() -> PresenzaError:
    return PresenzaError({"code": "CONNECTION_FAILED", "message": "The connection failed."})


def _timed_out() -> PresenzaError:
    return PresenzaError({"code": "TIMED_OUT", "message": "The call took too long."})


def _without_none(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _is_retryable(error: PresenzaError) -> bool:
    return error.code == "CONNECTION_FAILED" or RETRYABLE.get(error.code, error.status in RETRYABLE_STATUSES)


def _header_value(name: str, value: str) -> str:
    """Validate here, because the error of the HTTP library would contain the value, such as the API key."""
    if not isinstance(value, str) or not re.fullmatch("[!-~]+", value):
        code = "INVALID_API_KEY" if name == "api_key" else "INVALID_PARAMETERS"
        raise unsent(code, f"{name} must be visible ASCII characters.", param=name)
    return value


def _web_url(value: str) -> str:
    """Return a URL without a slash at the end."""
    try:
        if re.match("(?i:https?)://[^/]", value) and urlsplit(value).hostname:
            return value.rstrip("/")
    except (TypeError, ValueError):
        pass
    raise unsent("INVALID_PARAMETERS", "base_url must be an http or https URL.", param="base_url")
