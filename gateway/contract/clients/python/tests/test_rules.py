"""Retries, errors, images and pages, against a small server in this process."""

import base64
import io
import json
import os
import threading
import time
import unittest
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Optional
from unittest import mock

from pydantic import BaseModel, Field

from presenza import Presenza, PresenzaError, WebhookVerificationError, is_verified, models, verify_webhook

KEY = "presenza_test_secret"
JPEG = b"\xff\xd8\xff rest of the image"
DATA_URI = "data:image/jpeg;base64," + base64.b64encode(JPEG).decode()
FACES = (200, {}, {"success": True, "data": {"hasFace": False, "faceCount": 0, "faces": []}, "requestId": "r"})


def refusal(status, code, headers={}, **fields):
    return (
        status,
        headers,
        {"success": False, "error": {"code": code, "message": "No.", **fields}, "requestId": "req_1"},
    )


class Page(BaseModel):
    items: list
    next_cursor: Optional[str] = Field(default=None, alias="nextCursor")


class PageResponse(BaseModel):
    data: Page


class Handler(BaseHTTPRequestHandler):
    def reply(self):
        length = int(self.headers.get("Content-Length", 0))
        self.server.received.append((self.command, self.path, dict(self.headers), self.rfile.read(length)))
        reply = self.server.replies.pop(0)
        if reply is None:
            self.close_connection = True
            return
        status, headers, body = reply
        content = body if isinstance(body, bytes) else json.dumps(body).encode()
        self.send_response(status)
        for name, value in {**headers, "Content-Length": str(len(content))}.items():
            self.send_header(name, value)
        self.end_headers()
        self.wfile.write(content)

    do_GET = do_POST = do_DELETE = reply

    def log_message(self, *_):
        pass


class RulesTest(unittest.TestCase):
    def setUp(self):
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.received, self.server.replies = [], []
        threading.Thread(target=self.server.serve_forever, args=(0.01,), daemon=True).start()
        self.client = Presenza(KEY, f"http://127.0.0.1:{self.server.server_port}/v1/")
        self.slept = []
        for target, value in (("time.sleep", self.slept.append), ("random.random", lambda: 0.5)):
            patch = mock.patch(target, value)
            patch.start()
            self.addCleanup(patch.stop)

    def tearDown(self):
        self.server.shutdown()
        self.server.server_close()

    def calls(self, *replies, **options):
        """Detect faces with these replies. Return the requests that the server received."""
        self.server.replies = list(replies)
        self.client.detect(DATA_URI, **options)
        return self.server.received

    def failure(self, *replies, **options):
        with self.assertRaises(PresenzaError) as raised:
            self.calls(*replies, **options)
        self.assertNotIn(KEY, repr(raised.exception))
        return raised.exception

    def test_failures_that_may_pass_are_retried_with_the_same_key(self):
        for reply in (
            refusal(503, "SERVICE_UNAVAILABLE"),
            refusal(500, "INTERNAL_ERROR"),
            refusal(503, "NEWER_CODE"),
            (502, {}, b"<html>"),
            None,
        ):
            with self.subTest(reply=reply):
                self.server.received.clear()
                self.slept.clear()
                first, second = self.calls(reply, FACES)
                self.assertEqual(self.slept, [0.125])
                self.assertEqual(first[3], second[3])
                keys = {headers["Idempotency-Key"] for _, _, headers, _ in (first, second)}
                self.assertEqual(len(keys), 1)

    def test_the_wait_doubles_up_to_a_cap_and_includes_retry_after(self):
        self.client._retries = 8
        replies = [refusal(429, "RATE_LIMIT_EXCEEDED", {"Retry-After": "2"})] + [
            refusal(503, "SERVICE_UNAVAILABLE")
        ] * 7
        self.calls(*replies, FACES)
        self.assertEqual(self.slept, [2.125, 0.25, 0.5, 1, 2, 4, 4, 4])

    def test_final_errors_are_not_retried(self):
        for status, code in ((429, "QUOTA_EXCEEDED"), (400, "INVALID_IMAGE"), (401, "INVALID_API_KEY")):
            self.assertEqual(self.failure(refusal(status, code)).code, code)
        self.assertEqual(self.failure((500, {}, b"secret text")).code, "UNEXPECTED_RESPONSE")
        for body in (b"OK", {"success": True, "data": {"faceCount": "secret text"}, "requestId": "req_1"}):
            error = self.failure((200, {}, body))
            self.assertEqual(error.code, "UNEXPECTED_RESPONSE")
            self.assertNotIn("secret text", repr(error))
        self.assertEqual(self.slept, [])

    def test_waiting_for_the_first_request_with_a_key_uses_no_retries(self):
        self.client._retries = 0
        conflict = refusal(409, "IDEMPOTENCY_CONFLICT", {"Retry-After": "1"}, reason="inProgress")
        self.assertEqual(len(self.calls(conflict, conflict, FACES, idempotency_key="order-9")), 3)
        self.assertEqual(self.server.received[2][2]["Idempotency-Key"], "order-9")

    def test_a_wait_past_the_timeout_is_not_begun(self):
        error = self.failure(refusal(429, "RATE_LIMIT_EXCEEDED", {"Retry-After": "30"}), timeout=30)
        self.assertEqual((error.code, error.retry_after, self.slept), ("RATE_LIMIT_EXCEEDED", 30, []))

    def test_an_error_has_the_fields_of_the_response(self):
        error = self.failure(refusal(400, "INVALID_IMAGE", reason="format", param="image"))
        self.assertEqual(
            (error.code, error.reason, error.status, error.request_id), ("INVALID_IMAGE", "format", 400, "req_1")
        )
        self.assertEqual(error.param, "image")

    def test_values_that_headers_do_not_allow_are_rejected_without_showing_them(self):
        with self.assertRaises(PresenzaError) as raised:
            Presenza("key\nwith line feed", "http://127.0.0.1")
        self.assertEqual(raised.exception.code, "INVALID_API_KEY")
        self.assertNotIn("line feed", str(raised.exception))

    def test_images_are_bytes_paths_files_or_data_uris(self):
        with TemporaryDirectory() as folder:
            path = Path(folder, "photo.jpg")
            path.write_bytes(JPEG)
            for image in (JPEG, path, io.BytesIO(JPEG), DATA_URI):
                self.server.replies = [FACES]
                self.client.detect(image, attributes=[models.FaceAttributeName.ALL, "pose"])
        bodies = [json.loads(body) for _, _, _, body in self.server.received]
        self.assertEqual(bodies, [{"image": DATA_URI, "attributes": ["all", "pose"]}] * 4)
        closed = io.BytesIO(JPEG)
        closed.close()
        for image in (b"GIF8", Path("none.jpg"), closed):
            with self.assertRaises(PresenzaError) as raised:
                self.client.detect(image)
            self.assertEqual((raised.exception.code, raised.exception.status), ("INVALID_IMAGE", None))

    def test_fields_that_are_not_given_are_left_out_and_metadata_is_sent_unchanged(self):
        created = {
            "sessionId": "s",
            "livemode": False,
            "verificationUrl": "u",
            "accessToken": "t",
            "sessionExpiresAt": "2026-01-15T10:30:00Z",
        }
        self.server.replies = [(200, {}, {"success": True, "data": created, "requestId": "r"})]
        self.client.create_liveness_session(metadata={"note": None})
        self.assertEqual(json.loads(self.server.received[0][3]), {"metadata": {"note": None}})

    def test_an_iterator_reads_a_page_when_it_needs_its_first_item(self):
        def page(items, cursor=None):
            return 200, {}, {"success": True, "data": {"items": items, "nextCursor": cursor}, "requestId": "r"}

        def list_deliveries(webhook_id, *, limit, cursor=None):
            query = {"limit": limit, "cursor": cursor}
            return self.client._call(PageResponse, "GET", "/webhooks/{}", webhook_id, query=query)

        self.server.replies = [page([1, 2], "a:1"), page([], "b:2"), page([3])]
        items = self.client._pages(list_deliveries, "wh_1", limit=2)
        self.assertEqual([next(items), next(items)], [1, 2])
        self.assertEqual(len(self.server.received), 1)
        self.assertEqual(list(items), [3])
        urls = [url for _, url, _, _ in self.server.received]
        first = "/v1/webhooks/wh_1?limit=2"
        self.assertEqual(urls, [first, f"{first}&cursor=a%3A1", f"{first}&cursor=b%3A2"])

    def test_a_value_that_the_service_has_added_is_accepted(self):
        warning = models.FaceWarning("newer")
        self.assertEqual((warning, str(warning)), ("newer", "newer"))
        self.assertIs(models.FaceWarning("blur"), models.FaceWarning.BLUR)


class WebhookTest(unittest.TestCase):
    def setUp(self):
        example = json.loads(os.environ["WEBHOOK_EXAMPLE"])
        self.secret, self.headers, self.body = example["secret"], example["headers"], example["body"].encode()
        self.sent_at = int(self.headers["webhook-timestamp"])

    def verify(self, secret=None, body=None, seconds=0, **headers):
        changed = {**self.headers, **{name.replace("_", "-"): value for name, value in headers.items()}}
        return verify_webhook(secret or self.secret, changed, body or self.body, now=lambda: self.sent_at + seconds)

    def test_the_documented_example_verifies(self):
        event = self.verify(seconds=300)
        self.assertEqual(event.event_type, models.EventType.SESSION_COMPLETED)
        self.assertTrue(is_verified(event, with_reference=False))
        self.assertFalse(is_verified(event, with_reference=True))

    def test_the_body_may_be_text(self):
        for body in (self.body.decode(), bytearray(self.body)):
            self.assertEqual(self.verify(body=body), self.verify())

    def test_one_of_several_signatures_is_enough_during_a_secret_rotation(self):
        self.verify(webhook_signature=f"v1,{'A' * 43}= {self.headers['webhook-signature']}")

    def test_every_change_is_refused(self):
        changes = (
            {"body": self.body + b" "},
            {"secret": self.secret[:-2] + "AA"},
            {"seconds": 301},
            {"seconds": -301},
            {"webhook_id": "msg_other"},
            {"webhook_timestamp": str(self.sent_at + 1)},
            {"webhook_timestamp": "soon"},
            {"webhook_signature": "v1,"},
        )
        for change in changes:
            with self.subTest(change=change), self.assertRaises(WebhookVerificationError):
                self.verify(**change)
        with self.assertRaises(ValueError):
            self.verify(secret="whsec_")

    def test_the_clock_is_the_default(self):
        self.assertLess(self.sent_at, time.time() - 300)
        with self.assertRaises(WebhookVerificationError):
            verify_webhook(self.secret, self.headers, self.body)


if __name__ == "__main__":
    unittest.main()
