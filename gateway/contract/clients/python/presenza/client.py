"""Sends calls with retries. `operations.py`, generated from the contract, has the methods."""

import json
import random
import re
import time
import uuid
from functools import partial
from itertools import count
from typing import Any, Callable, Dict, Iterator, Mapping, Optional, Type, TypeVar
from urllib.parse import quote, urlencode

import urllib3
from pydantic import BaseModel, ValidationError

from .errors import PresenzaError, error_of
from .images import with_data_uris
from .operations import RETRYABLE, Operations

Response = TypeVar("Response", bound=BaseModel)

RETRYABLE_STATUSES = (408, 429, 502, 503, 504)
"""Statuses to retry if the code is unknown."""
BACKOFF_BASE, BACKOFF_CAP = 0.25, 8.0


class Presenza(Operations):
    """A client of the API. It is safe for use by several threads.

    `retries` is the maximum number of retries of a call. `timeout` limits a whole call, including retries, in seconds. A
    batch may take three times as long. Every method returns the envelope of the response or raises PresenzaError.
    """

    def __init__(self, api_key: str, base_url: str, *, retries: int = 3, timeout: float = 60) -> None:
        self._authorization = f"Bearer {_header_value('api_key', api_key)}"
        self._base_url = base_url.rstrip("/")
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
        url = self._base_url + path.format(*(quote(one, safe="") for one in ids))
        if given := _without_none(query):
            url += f"?{urlencode(given)}"
        headers = {"Accept": "application/json", "Authorization": self._authorization}
        content = None
        if method == "POST":
            headers["Content-Type"] = "application/json"
            headers["Idempotency-Key"] = _header_value("idempotency_key", idempotency_key or str(uuid.uuid4()))
            content = json.dumps(with_data_uris(_without_none(body))).encode()
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
        try:
            response = self._pool.request(
                method, url, body=content, headers=headers, timeout=timeout, retries=False, redirect=False
            )
        except urllib3.exceptions.TimeoutError as cause:
            raise PresenzaError({"code": "TIMED_OUT", "message": "The call took too long."}) from cause
        except urllib3.exceptions.HTTPError as cause:
            raise PresenzaError({"code": "CONNECTION_FAILED", "message": "The connection failed."}) from cause
        try:
            body = json.loads(response.data)
        except ValueError:
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


def _without_none(fields: Mapping[str, Any]) -> Dict[str, Any]:
    return {name: value for name, value in fields.items() if value is not None}


def _is_retryable(error: PresenzaError) -> bool:
    return error.code == "CONNECTION_FAILED" or RETRYABLE.get(error.code, error.status in RETRYABLE_STATUSES)


def _header_value(name: str, value: str) -> str:
    """Validate here, because the error of the HTTP library would contain the value, such as the API key."""
    if not re.fullmatch("[!-~]+", value):
        raise ValueError(f"{name} must be visible ASCII characters.")
    return value
