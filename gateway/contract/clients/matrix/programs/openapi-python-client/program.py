"""Makes each call with the client that openapi-python-client writes. Prints the name of each step that passes."""

import base64
import os

from presenza_api_client import AuthenticatedClient
from presenza_api_client.api.batch import run_batch
from presenza_api_client.api.face_comparison import compare_faces
from presenza_api_client.api.face_detection import detect_faces
from presenza_api_client.api.image_moderation import moderate_image
from presenza_api_client.api.liveness import (
    create_liveness_session,
    get_liveness_session,
    list_liveness_sessions,
    send_liveness_frame,
)
from presenza_api_client.api.usage import get_usage
from presenza_api_client.models import (
    BatchOperation,
    BatchRequest,
    CompareRequest,
    DetectRequest,
    EmotionType,
    ErrorResponse,
    FaceAttributeName,
    LivenessRequest,
    LivenessStatus,
    ModerateRequest,
)
from presenza_api_client.types import UNSET

with open(os.environ["IMAGE"], "rb") as file:
    image = "data:image/jpeg;base64," + base64.b64encode(file.read()).decode()


def detect(client):
    request = DetectRequest(image=image, attributes=[FaceAttributeName.ALL])
    faces = detect_faces.sync(client=client, body=request).data.faces
    assert len(faces[0].attributes.landmarks) > 30
    assert faces[0].attributes.emotions[0].type_ in EmotionType


def compare(client):
    request = CompareRequest(source_image=image, target_image=image, similarity_threshold=0.9)
    assert compare_faces.sync(client=client, body=request).data.matched_faces[0].similarity > 0.9


def moderate(client):
    request = ModerateRequest(image=image, confidence_threshold=0, categories=["Explicit"])
    assert moderate_image.sync(client=client, body=request).data.detected_elements[0].type_ == "Explicit"


def batch(client):
    operations = [
        {"operation": "detect", "body": {"image": image}},
        {"operation": "compare", "body": {"sourceImage": image, "targetImage": image}},
        {"operation": "moderate", "body": {}},
    ]
    request = BatchRequest(operations=[BatchOperation.from_dict(one) for one in operations])
    first, second, third = run_batch.sync(client=client, body=request).data.results
    assert first.data.has_face and len(first.data.faces) == first.data.face_count
    assert second.data.matched_faces[0].similarity > 0.9
    assert third.error.reason == "missing"


def liveness(client):
    request = LivenessRequest.from_dict({"metadata": {"userId": "7"}})
    created = create_liveness_session.sync(client=client, body=request)
    session = get_liveness_session.sync(client=client, session_id=created.data.session_id).data
    assert session.status == LivenessStatus.CREATED and session.metadata["userId"] == "7"
    assert send_liveness_frame.sync


def pages(client):
    ids, cursor, more = set(), UNSET, True
    create_liveness_session.sync(client=client)
    while more:
        page = list_liveness_sessions.sync(client=client, limit=1, cursor=cursor).data
        ids.update(session.session_id for session in page.items)
        cursor, more = page.next_cursor, page.has_more
    assert len(ids) >= 2


def error(client):
    request = DetectRequest(image="data:image/bmp;base64,Qk0=")
    refusal = detect_faces.sync(client=client, body=request)
    assert isinstance(refusal, ErrorResponse)
    assert (refusal.error.code, refusal.error.reason) == ("INVALID_IMAGE", "format")


def usage(client):
    assert get_usage.sync(client=client).data.product_groups.image_analysis.used >= 5


with AuthenticatedClient(base_url=os.environ["API_URL"], token=os.environ["API_KEY"], timeout=60) as client:
    for step in (detect, compare, moderate, batch, liveness, pages, error, usage):
        step(client)
        print(step.__name__, flush=True)
