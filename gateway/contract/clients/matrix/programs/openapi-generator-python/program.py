"""Makes each call with the client that openapi-generator (python) writes. Prints the name of each step that passes."""

import base64
import os

import presenza_api as api

with open(os.environ["IMAGE"], "rb") as file:
    image = "data:image/jpeg;base64," + base64.b64encode(file.read()).decode()
settings = api.Configuration(host=os.environ["API_URL"], access_token=os.environ["API_KEY"])


def detect(client):
    request = api.DetectRequest(image=image, attributes=[api.FaceAttributeName.ALL])
    faces = api.FaceDetectionApi(client).detect_faces(request).data.faces
    assert len(faces[0].attributes.landmarks) > 30
    assert faces[0].attributes.emotions[0].type in list(api.EmotionType)


def compare(client):
    request = api.CompareRequest(source_image=image, target_image=image, similarity_threshold=0.9)
    data = api.FaceComparisonApi(client).compare_faces(request).data
    assert data.matched_faces[0].similarity > 0.9


def moderate(client):
    request = api.ModerateRequest(image=image, confidence_threshold=0, categories=["Explicit"])
    data = api.ImageModerationApi(client).moderate_image(request).data
    assert data.detected_elements[0].type == "Explicit"


def batch(client):
    bodies = [
        ("detect", {"image": image}),
        ("compare", {"sourceImage": image, "targetImage": image}),
        ("moderate", {}),
    ]
    operations = [api.BatchOperation(operation=name, body=body) for name, body in bodies]
    first, second, third = api.BatchApi(client).run_batch(api.BatchRequest(operations=operations)).data.results
    assert first.data.has_face and len(first.data.faces) == first.data.face_count
    assert second.data.matched_faces[0].similarity > 0.9
    assert third.error.reason == "missing"


def liveness(client):
    sessions = api.LivenessApi(client)
    created = sessions.create_liveness_session(liveness_request=api.LivenessRequest(metadata={"userId": "7"}))
    session = sessions.get_liveness_session(created.data.session_id).data
    assert session.status == api.LivenessStatus.CREATED and session.metadata == {"userId": "7"}


def pages(client):
    sessions, ids, cursor, more = api.LivenessApi(client), set(), None, True
    sessions.create_liveness_session()
    while more:
        page = sessions.list_liveness_sessions(limit=1, cursor=cursor).data
        ids.update(session.session_id for session in page.items)
        cursor, more = page.next_cursor, page.has_more
    assert len(ids) >= 2


def error(client):
    try:
        api.FaceDetectionApi(client).detect_faces(api.DetectRequest(image="data:image/bmp;base64,Qk0="))
    except api.ApiException as refusal:
        assert refusal.status == 400
        assert (refusal.data.error.code, refusal.data.error.reason) == ("INVALID_IMAGE", "format")
    else:
        raise AssertionError("The image was accepted.")


def usage(client):
    assert api.UsageApi(client).get_usage().data.product_groups.image_analysis.used >= 5


with api.ApiClient(settings) as client:
    for step in (detect, compare, moderate, batch, liveness, pages, error, usage):
        step(client)
        print(step.__name__, flush=True)
