"""Each call, against the service at API_URL with API_KEY and the photo IMAGE."""

import os
import unittest
import uuid
from pathlib import Path

from presenza import Presenza, PresenzaError, models

IMAGE = Path(os.environ["IMAGE"])
client = Presenza(os.environ["API_KEY"], os.environ["API_URL"])


class ServiceTest(unittest.TestCase):
    def test_detect(self):
        face = client.detect(IMAGE, attributes=["all"]).data.faces[0]
        self.assertGreater(len(face.attributes.landmarks), 30)
        self.assertIn(face.attributes.emotions[0].type, list(models.EmotionType))

    def test_compare(self):
        data = client.compare(IMAGE, IMAGE.read_bytes(), similarity_threshold=0.9).data
        self.assertGreater(data.matched_faces[0].similarity, 0.9)

    def test_moderate(self):
        data = client.moderate(IMAGE, confidence_threshold=0, categories=["Explicit"]).data
        self.assertEqual(data.detected_elements[0].type, "Explicit")

    def test_batch(self):
        operations = [
            models.BatchOperation(operation="detect", body={"image": IMAGE}),
            {"operation": "moderate", "body": {}},
        ]
        first, second = client.batch(operations).data.results
        self.assertEqual(len(first.data.faces), first.data.face_count)
        self.assertEqual(second.error.reason, "missing")

    def test_liveness(self):
        once = str(uuid.uuid4())
        request = {"image_to_compare": IMAGE, "metadata": {"userId": "7"}, "idempotency_key": once}
        session_id = client.create_liveness_session(**request).data.session_id
        self.assertEqual(client.create_liveness_session(**request).data.session_id, session_id)
        session = client.get_liveness_session(session_id).data
        self.assertEqual((session.status, session.metadata), (models.LivenessStatus.CREATED, {"userId": "7"}))
        second = client.create_liveness_session(metadata={"userId": "7"}).data.session_id
        listed = {one.session_id for one in client.all_liveness_sessions(metadata="userId:7", limit=1)}
        self.assertLessEqual({session_id, second}, listed)
        cancelled = client.cancel_liveness_session(second).data
        self.assertEqual(cancelled.status, models.LivenessStatus.CANCELLED)
        client.delete_liveness_session(second)
        client.delete_liveness_session(session_id)
        with self.assertRaises(PresenzaError) as raised:
            client.get_liveness_session(session_id)
        error = raised.exception
        self.assertEqual((error.code, error.reason, error.status), ("NOT_FOUND", "session", 404))
        self.assertTrue(error.request_id.startswith("req_"))

    def test_health_and_usage(self):
        self.assertTrue(client.health().success)
        client.detect(IMAGE)
        self.assertGreaterEqual(client.usage().data.product_groups.image_analysis.used, 1)


if __name__ == "__main__":
    unittest.main()
