package presenza;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfEnvironmentVariable;

/** Calls each operation of the service at API_URL. */
@EnabledIfEnvironmentVariable(named = "API_URL", matches = ".+")
class ServiceTest {
  private final Presenza presenza = new Presenza(System.getenv("API_KEY"), System.getenv("API_URL"));
  private final Image photo;

  ServiceTest() throws IOException {
    photo = Image.of(Path.of(System.getenv("IMAGE")));
  }

  @Test
  void analyses() {
    assertNotNull(presenza.health().getData());
    DetectRequest detection = new DetectRequest().image(photo).attributes(Set.of(FaceAttributeName.ALL));
    Face face = presenza.detect(detection).getData().getFaces().get(0);
    assertTrue(face.getAttributes().getLandmarks().size() > 30);

    CompareRequest comparison = new CompareRequest().sourceImage(photo).targetImage(photo);
    assertTrue(presenza.compare(comparison).getData().getMatchedFaces().get(0).getSimilarity() > 0.9);

    ModerateRequest moderation = new ModerateRequest().image(photo).confidenceThreshold(0.0);
    assertTrue(presenza.moderate(moderation).getData().getDetectedElements().size() > 0);

    BatchRequest batch =
        new BatchRequest()
            .operations(
                List.of(
                    new BatchOperation().operation(BatchOperationName.DETECT).body(Map.of("image", photo)),
                    new BatchOperation().operation(BatchOperationName.MODERATE).body(Map.of())));
    List<BatchResult> results = presenza.batch(batch).getData().getResults();
    assertTrue(results.get(0).getData().getHasFace());
    assertEquals("missing", results.get(1).getError().getReason());

    assertTrue(presenza.usage().getData().getProductGroups().getImageAnalysis().getUsed() >= 4);
  }

  @Test
  void sessions() {
    LivenessRequest request = new LivenessRequest().imageToCompare(photo).metadata(Map.of("userId", "7"));
    Presenza once = presenza.withIdempotencyKey("java-" + System.nanoTime());
    String sessionId = once.createLivenessSession(request).getData().getSessionId();
    assertEquals(sessionId, once.createLivenessSession(request).getData().getSessionId());
    LivenessSession session = presenza.getLivenessSession(sessionId).getData();
    assertEquals(LivenessStatus.CREATED, session.getStatus());
    assertEquals(Map.of("userId", "7"), session.getMetadata());

    List<String> listed = new ArrayList<>();
    String second = presenza.createLivenessSession(request).getData().getSessionId();
    var query = new OperationsApi.ListLivenessSessionsQuery().metadata("userId:7").limit(1);
    for (LivenessSession one : presenza.allLivenessSessions(query)) listed.add(one.getSessionId());
    assertTrue(listed.containsAll(List.of(sessionId, second)));
    assertEquals(LivenessStatus.CANCELLED, presenza.cancelLivenessSession(second).getData().getStatus());
    presenza.deleteLivenessSession(second);

    presenza.deleteLivenessSession(sessionId);
    PresenzaException failure =
        assertThrows(PresenzaException.class, () -> presenza.getLivenessSession(sessionId));
    assertEquals("NOT_FOUND", failure.getCode());
    assertEquals("session", failure.getReason());
    assertEquals(404, failure.getStatus());
    assertNotNull(failure.getRequestId());
  }
}
