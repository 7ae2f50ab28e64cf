package presenza;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

class PresenzaTest {
  private record Reply(int status, String retryAfter, String body) {}

  private record Received(String target, Map<String, List<String>> headers, String body) {
    String header(String name) {
      return headers.get(name).get(0);
    }
  }

  private static final String SUCCESS =
      "{\"success\":true,\"data\":{\"hasFace\":true,\"faceCount\":1,\"faces\":[],\"newField\":1},\"requestId\":\"r1\"}";
  private static final String RATE_LIMITED = error("RATE_LIMIT_EXCEEDED", "burst");
  private static final Image JPEG = Image.of(bytes("\u00ff\u00d8\u00ff\u00e0"));

  private final Deque<Reply> replies = new ArrayDeque<>();
  private final List<Received> received = new ArrayList<>();
  private final CountDownLatch ended = new CountDownLatch(1);
  private HttpServer server;
  private Presenza client;

  @BeforeEach
  void serve() throws IOException {
    server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
    server.setExecutor(Executors.newCachedThreadPool());
    server.createContext("/", this::respond);
    server.start();
    client = new Presenza("the-key", "http://127.0.0.1:" + server.getAddress().getPort() + "/v1/");
  }

  @AfterEach
  void stop() {
    ended.countDown();
    server.stop(0);
  }

  private void respond(HttpExchange exchange) throws IOException {
    String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
    String target = exchange.getRequestMethod() + " " + exchange.getRequestURI();
    received.add(new Received(target, Map.copyOf(exchange.getRequestHeaders()), body));
    Reply reply = replies.poll();
    if (reply == null) awaitEnd();
    if (reply == null || reply.status == 0) {
      exchange.close();
      return;
    }
    if (reply.retryAfter != null) exchange.getResponseHeaders().set("Retry-After", reply.retryAfter);
    byte[] text = reply.body.getBytes(StandardCharsets.UTF_8);
    exchange.sendResponseHeaders(reply.status, text.length);
    exchange.getResponseBody().write(text);
    exchange.close();
  }

  private void awaitEnd() {
    try {
      ended.await();
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
    }
  }

  private static byte[] bytes(String text) {
    return text.getBytes(StandardCharsets.ISO_8859_1);
  }

  private static String error(String code, String reason) {
    return "{\"success\":false,\"error\":{\"code\":\"%s\",\"message\":\"No.\",\"reason\":\"%s\"},\"requestId\":\"r2\"}"
        .formatted(code, reason);
  }

  private void reply(int status, String retryAfter, String body) {
    replies.add(new Reply(status, retryAfter, body));
  }

  private DetectResponse detect(Presenza client) {
    return client.detect(new DetectRequest().image(JPEG).attributes(Set.of(FaceAttributeName.ALL)));
  }

  private PresenzaException failure(Presenza client) {
    return assertThrows(PresenzaException.class, () -> detect(client));
  }

  @Test
  void requestHasKeyImageAndOptions() {
    reply(200, null, SUCCESS);
    DetectResponse response = detect(client);
    assertEquals(1, response.getData().getFaceCount());
    assertEquals("r1", response.getRequestId());
    assertEquals("POST /v1/detect", received.get(0).target);
    assertEquals("Bearer the-key", received.get(0).header("Authorization"));
    String image = "data:image/jpeg;base64,/9j/4A==";
    assertEquals("{\"image\":\"" + image + "\",\"attributes\":[\"all\"]}", received.get(0).body);
  }

  @Test
  void optionalFieldsAreLeftOut() {
    reply(200, null, SUCCESS);
    client.detect(new DetectRequest().image(JPEG));
    assertEquals("{\"image\":\"" + JPEG.dataUri() + "\"}", received.get(0).body);
  }

  @Test
  void retriesHaveOneIdempotencyKey() {
    reply(0, null, null);
    reply(429, "0", RATE_LIMITED);
    reply(200, null, SUCCESS);
    detect(client);
    assertEquals(received.get(0).header("Idempotency-key"), received.get(2).header("Idempotency-key"));
    assertEquals(received.get(0).body, received.get(2).body);
  }

  @Test
  void callerChoosesIdempotencyKey() {
    reply(200, null, SUCCESS);
    reply(200, null, SUCCESS);
    detect(client.withIdempotencyKey("mine"));
    detect(client);
    assertEquals("mine", received.get(0).header("Idempotency-key"));
    assertNotEquals("mine", received.get(1).header("Idempotency-key"));
  }

  @Test
  void errorHasCodeReasonAndRequestId() {
    reply(429, "0", RATE_LIMITED);
    reply(429, "2", RATE_LIMITED);
    PresenzaException failure = failure(client.withRetries(1));
    assertEquals("RATE_LIMIT_EXCEEDED", failure.getCode());
    assertEquals("burst", failure.getReason());
    assertEquals("r2", failure.getRequestId());
    assertEquals("RATE_LIMIT_EXCEEDED: No. (429, r2)", failure.getMessage());
    assertEquals(429, failure.getStatus());
    assertEquals(Duration.ofSeconds(2), failure.getRetryAfter());
    assertEquals(2, received.size());
  }

  @Test
  void permanentErrorsAreNotRetried() {
    reply(400, null, error("INVALID_IMAGE", "format"));
    assertEquals("INVALID_IMAGE", failure(client).getCode());
    reply(429, "1", error("QUOTA_EXCEEDED", "imageAnalysis"));
    assertEquals("QUOTA_EXCEEDED", failure(client).getCode());
    assertEquals(2, received.size());
  }

  @Test
  void unknownCodesAndPagesOfProxiesAreRetriedByStatus() {
    reply(503, null, error("NEW_CODE", "new"));
    reply(502, null, "<html>");
    reply(302, null, "<html>");
    assertEquals(PresenzaException.UNEXPECTED_RESPONSE, failure(client).getCode());
    assertEquals(3, received.size());
  }

  @Test
  void workInProgressIsNoRetry() {
    String conflict = error("IDEMPOTENCY_CONFLICT", "inProgress");
    reply(409, "0", conflict);
    reply(409, "0", conflict);
    reply(200, null, SUCCESS);
    detect(client.withRetries(0));
    reply(409, null, conflict);
    assertEquals("inProgress", failure(client).getReason());
    assertEquals(4, received.size());
  }

  @Test
  void callFailsInsteadOfWaitingPastTheTimeout() {
    reply(429, "3600", RATE_LIMITED);
    assertEquals("RATE_LIMIT_EXCEEDED", failure(client).getCode());
    assertEquals(1, received.size());
  }

  @Test
  void responseThatDoesNotComeTimesOut() {
    assertEquals(PresenzaException.TIMED_OUT, failure(client.withTimeout(Duration.ofMillis(50))).getCode());
  }

  @Test
  void pagesYieldAllItemsAndReadOnDemand() {
    reply(200, null, "{\"success\":true,\"data\":{\"items\":[1,2],\"nextCursor\":\"a:1\"}}");
    reply(200, null, "{\"success\":true,\"data\":{\"items\":[],\"nextCursor\":\"b&2\"}}");
    reply(200, null, "{\"success\":true,\"data\":{\"items\":[3]}}");
    List<Integer> items = new ArrayList<>();
    for (int item : client.pages("/numbers", Map.of("limit", 2), Integer.class)) {
      items.add(item);
      if (item == 2) assertEquals(1, received.size());
    }
    assertEquals(List.of(1, 2, 3), items);
    assertEquals("GET /v1/numbers?limit=2", received.get(0).target);
    assertEquals("GET /v1/numbers?limit=2&cursor=a%3A1", received.get(1).target);
    assertEquals("GET /v1/numbers?limit=2&cursor=b%262", received.get(2).target);
  }

  @Test
  void imageFormats() {
    assertTrue(Image.of(bytes("\u0089PNG\r\n\u001a\n")).dataUri().startsWith("data:image/png;base64,"));
    assertTrue(Image.of(bytes("RIFF0000WEBP")).dataUri().startsWith("data:image/webp;base64,"));
    assertTrue(Image.of(bytes("GIF89a")).dataUri().startsWith("data:image/gif;base64,"));
    assertTrue(Image.of(bytes("0000ftypheic")).dataUri().startsWith("data:image/heic;base64,"));
    PresenzaException failure = assertThrows(PresenzaException.class, () -> Image.of(bytes("BM")));
    assertEquals("INVALID_IMAGE", failure.getCode());
    assertEquals("format", failure.getReason());
  }

  @Test
  void retryAfterMayBeADate() {
    Instant now = Instant.parse("2026-01-15T12:00:00Z");
    assertEquals(Duration.ofSeconds(30), PresenzaException.parseRetryAfter("Thu, 15 Jan 2026 12:00:30 GMT", now));
    assertEquals(Duration.ZERO, PresenzaException.parseRetryAfter("Thu, 15 Jan 2026 11:00:00 GMT", now));
    assertEquals(null, PresenzaException.parseRetryAfter("soon", now));
  }

  @Test
  void errorOfAnInvalidKeyDoesNotContainIt() {
    String message = assertThrows(PresenzaException.class, () -> new Presenza("se\ncret", "http://a")).getMessage();
    assertEquals("INVALID_API_KEY: apiKey must be visible ASCII characters.", message);
  }

  @Test
  void interruptionEndsTheCall() {
    Thread.currentThread().interrupt();
    assertThrows(CancellationException.class, () -> detect(client));
    assertTrue(Thread.interrupted());
  }

  @Test
  void idsAreEncodedInPaths() {
    assertEquals("/liveness/a%2F%20b", Presenza.pathOf("/liveness/{sessionId}", "a/ b"));
  }
}
