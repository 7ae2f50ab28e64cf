import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.openapitools.client.ApiClient;
import org.openapitools.client.ApiException;
import org.openapitools.client.api.*;
import org.openapitools.client.model.*;

/** Makes each call with the client that openapi-generator (java, native) writes. Prints each step that passes. */
public class Program {
  private static String image;
  private static ApiClient client;

  interface Step {
    void run() throws Exception;
  }

  public static void main(String[] args) throws Exception {
    byte[] bytes = Files.readAllBytes(Path.of(System.getenv("IMAGE")));
    image = "data:image/jpeg;base64," + Base64.getEncoder().encodeToString(bytes);
    client = new ApiClient();
    client.updateBaseUri(System.getenv("API_URL"));
    client.setRequestInterceptor(
        request -> request.header("Authorization", "Bearer " + System.getenv("API_KEY")));
    step("detect", Program::detect);
    step("compare", Program::compare);
    step("moderate", Program::moderate);
    step("batch", Program::batch);
    step("liveness", Program::liveness);
    step("pages", Program::pages);
    step("error", Program::error);
    step("usage", Program::usage);
  }

  private static void step(String name, Step step) throws Exception {
    step.run();
    System.out.println(name);
  }

  private static void check(boolean condition, Object seen) {
    if (!condition) throw new AssertionError(String.valueOf(seen));
  }

  private static void detect() throws ApiException {
    DetectRequest request = new DetectRequest().image(image).attributes(Set.of(FaceAttributeName.ALL));
    DetectResponse response = new FaceDetectionApi(client).detectFaces(request, null, null);
    FaceAttributes attributes = response.getData().getFaces().get(0).getAttributes();
    check(attributes.getLandmarks().size() > 30, attributes);
    check(attributes.getEmotions().get(0).getType() instanceof EmotionType, attributes);
  }

  private static void compare() throws ApiException {
    CompareRequest request = new CompareRequest().sourceImage(image).targetImage(image);
    CompareResponse response = new FaceComparisonApi(client).compareFaces(request, null);
    check(response.getData().getMatchedFaces().get(0).getSimilarity().doubleValue() > 0.9, response);
  }

  private static void moderate() throws ApiException {
    ModerateRequest request =
        new ModerateRequest().image(image).confidenceThreshold(java.math.BigDecimal.ZERO).categories(Set.of("Explicit"));
    ModerateResponse response = new ImageModerationApi(client).moderateImage(request, null, null, null);
    check(response.getData().getDetectedElements().get(0).getType().equals("Explicit"), response);
  }

  private static void batch() throws ApiException {
    BatchRequest request = new BatchRequest().operations(List.of(
        operation(BatchOperationName.DETECT, Map.of("image", image)),
        operation(BatchOperationName.COMPARE, Map.of("sourceImage", image, "targetImage", image)),
        operation(BatchOperationName.MODERATE, Map.of())));
    List<BatchResult> results = new BatchApi(client).runBatch(request, null).getData().getResults();
    AnalysisResult detection = results.get(0).getData();
    check(detection.getFaces().size() == detection.getFaceCount(), detection);
    check(results.get(1).getData().getMatchedFaces().get(0).getSimilarity().doubleValue() > 0.9, results);
    check("missing".equals(results.get(2).getError().getReason()), results);
  }

  private static BatchOperation operation(BatchOperationName name, Map<String, Object> body) {
    return new BatchOperation().operation(name).body(body);
  }

  private static void liveness() throws ApiException {
    LivenessApi sessions = new LivenessApi(client);
    LivenessRequest request = new LivenessRequest().metadata(Map.of("userId", "7"));
    String sessionId = sessions.createLivenessSession(null, request).getData().getSessionId();
    LivenessSession session = sessions.getLivenessSession(sessionId).getData();
    check(session.getStatus() == LivenessStatus.CREATED, session);
    check(session.getMetadata().equals(Map.of("userId", "7")), session);
  }

  private static void pages() throws ApiException {
    LivenessApi sessions = new LivenessApi(client);
    sessions.createLivenessSession(null, new LivenessRequest());
    Set<String> ids = new HashSet<>();
    LivenessList page = null;
    do {
      String cursor = page == null ? null : page.getNextCursor();
      page = sessions.listLivenessSessions(null, null, null, null, 1, cursor).getData();
      page.getItems().forEach(session -> ids.add(session.getSessionId()));
    } while (page.getHasMore());
    check(ids.size() >= 2, ids);
  }

  private static void error() throws Exception {
    DetectRequest request = new DetectRequest().image("data:image/bmp;base64,Qk0=");
    try {
      new FaceDetectionApi(client).detectFaces(request, null, null);
    } catch (ApiException refusal) {
      ErrorResponse response = client.getObjectMapper().readValue(refusal.getResponseBody(), ErrorResponse.class);
      check(refusal.getCode() == 400, refusal);
      check(response.getError().getCode().equals("INVALID_IMAGE"), response);
      check("format".equals(response.getError().getReason()), response);
      return;
    }
    throw new AssertionError("The image was accepted.");
  }

  private static void usage() throws ApiException {
    UsageResponse response = new UsageApi(client).getUsage(null);
    check(response.getData().getProductGroups().getImageAnalysis().getUsed() >= 5, response);
  }
}
