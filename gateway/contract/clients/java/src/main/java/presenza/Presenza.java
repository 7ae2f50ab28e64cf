package presenza;

import static presenza.PresenzaException.CONNECTION_FAILED;
import static presenza.PresenzaException.TIMED_OUT;
import static presenza.PresenzaException.UNEXPECTED_RESPONSE;
import static presenza.PresenzaException.parseRetryAfter;
import static presenza.PresenzaException.unsent;

import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.SerializationFeature;
import com.fasterxml.jackson.databind.json.JsonMapper;
import com.fasterxml.jackson.databind.node.MissingNode;
import com.fasterxml.jackson.datatype.jsr310.JavaTimeModule;
import java.net.URI;
import java.net.URISyntaxException;
import java.net.URLEncoder;
import java.net.http.HttpClient;
import java.net.http.HttpHeaders;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Consumer;
import java.util.function.UnaryOperator;
import java.util.regex.Matcher;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/** Calls the API from a backend that holds the API key. It is immutable and safe for concurrent use. */
public final class Presenza extends OperationsApi {
  /** Ignores unknown fields, because responses may get new ones at any time. */
  static final ObjectMapper JSON =
      JsonMapper.builder()
          .addModule(new JavaTimeModule())
          .disable(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES)
          .disable(SerializationFeature.WRITE_DATES_AS_TIMESTAMPS)
          .serializationInclusion(JsonInclude.Include.NON_NULL)
          .build();

  /** Never follows redirects. */
  private static final HttpClient HTTP = HttpClient.newHttpClient();

  private final String apiKey;
  private final String baseUrl;
  private int retries = 3;
  private Duration timeout = Duration.ofMinutes(1);
  private String idempotencyKey;

  /**
   * @param baseUrl address of the API, with or without /v1
   * @throws PresenzaException INVALID_API_KEY or INVALID_PARAMETERS if a header or a URL cannot have these characters
   */
  public Presenza(String apiKey, String baseUrl) {
    this.apiKey = headerValue("INVALID_API_KEY", "apiKey", apiKey);
    if (!isWebUrl(baseUrl)) throw unsent("INVALID_PARAMETERS", null, "baseUrl must be an http or https URL.");
    this.baseUrl = baseUrl.replaceAll("/+$", "");
  }

  /** An error of HttpRequest would contain the value, such as the key. */
  private static String headerValue(String code, String name, String value) {
    if (value != null && value.matches("[!-~]+")) return value;
    throw unsent(code, null, name + " must be visible ASCII characters.");
  }

  private static boolean isWebUrl(String text) {
    try {
      URI url = new URI(Objects.requireNonNullElse(text, ""));
      String scheme = Objects.requireNonNullElse(url.getScheme(), "");
      return url.getHost() != null && scheme.matches("(?i)https?");
    } catch (URISyntaxException error) {
      return false;
    }
  }

  /** Returns a client with another number of retries per call. Default: 3. */
  public Presenza withRetries(int retries) {
    return with(copy -> copy.retries = retries);
  }

  /**
   * Returns a client with a limit for a whole call, including retries. A batch may take three times as long. Default: one
   * minute.
   */
  public Presenza withTimeout(Duration timeout) {
    return with(copy -> copy.timeout = timeout);
  }

  /**
   * Returns a client that sends this key, 1 to 255 visible ASCII characters, with a call, so that you can repeat the call
   * later. Otherwise, each call gets its own key, which its retries reuse.
   */
  public Presenza withIdempotencyKey(String key) {
    return with(copy -> copy.idempotencyKey = headerValue("INVALID_PARAMETERS", "The Idempotency-Key", key));
  }

  private Presenza with(Consumer<Presenza> change) {
    Presenza copy = new Presenza(apiKey, baseUrl);
    copy.retries = retries;
    copy.timeout = timeout;
    copy.idempotencyKey = idempotencyKey;
    change.accept(copy);
    return copy;
  }

  @Override
  <T> T call(String method, String path, Map<String, Object> query, Object body, Class<T> type) {
    HttpRequest request = encoded(method, path, query, body);
    Duration limit = path.equals("/batch") ? timeout.multipliedBy(3) : timeout;
    try {
      return JSON.treeToValue(send(request, System.nanoTime() + limit.toNanos()), type);
    } catch (JsonProcessingException error) {
      throw new PresenzaException(UNEXPECTED_RESPONSE, "The response does not have the documented type.", error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new CancellationException("The thread was interrupted.");
    }
  }

  @Override
  <T> Iterable<T> pages(String path, Map<String, Object> query, Class<T> type) {
    UnaryOperator<JsonNode> next =
        page -> page.has("nextCursor") ? page(path, query, page.get("nextCursor").asText()) : null;
    // A page is read when its first item is needed.
    return () ->
        Stream.iterate(page(path, query, null), Objects::nonNull, next)
            .flatMap(page -> StreamSupport.stream(page.path("items").spliterator(), false))
            .map(item -> valueOf(item, type))
            .iterator();
  }

  private static <T> T valueOf(JsonNode item, Class<T> type) {
    try {
      return JSON.treeToValue(item, type);
    } catch (JsonProcessingException error) {
      throw new PresenzaException(UNEXPECTED_RESPONSE, "The response does not have the documented type.", error);
    }
  }

  private JsonNode page(String path, Map<String, Object> query, String cursor) {
    Map<String, Object> fields = new LinkedHashMap<>(query);
    if (cursor != null) fields.put("cursor", cursor);
    return call("GET", path, fields, null, JsonNode.class).path("data");
  }

  /** @throws PresenzaException INVALID_PARAMETERS if the arguments cannot be sent */
  private HttpRequest encoded(String method, String path, Map<String, Object> query, Object body) {
    try {
      return request(method, path + queryOf(query), body);
    } catch (IllegalArgumentException error) {
      // Its text may contain them.
      throw unsent("INVALID_PARAMETERS", null, "The arguments of the call cannot be sent.");
    }
  }

  private HttpRequest request(String method, String path, Object body) {
    HttpRequest.Builder request =
        HttpRequest.newBuilder(URI.create(baseUrl + path))
            .header("Accept", "application/json")
            .header("Authorization", "Bearer " + apiKey);
    if (!method.equals("POST")) return request.method(method, BodyPublishers.noBody()).build();
    return request
        .header("Content-Type", "application/json")
        .header("Idempotency-Key", idempotencyKey == null ? UUID.randomUUID().toString() : idempotencyKey)
        .POST(BodyPublishers.ofString(body == null ? "{}" : JSON.valueToTree(body).toString()))
        .build();
  }

  /** Repeats a request until it succeeds, fails permanently, or runs out of retries or time. */
  private JsonNode send(HttpRequest request, long deadlineNs) throws InterruptedException {
    int retried = 0;
    for (int failures = 1; ; failures++) {
      try {
        return attempt(request, deadlineNs);
      } catch (PresenzaException failure) {
        if (!failure.isUnderWay() && (!failure.isRetryable() || retried++ >= retries)) throw failure;
        Duration delay = failure.delay(failures);
        // Fail now instead of waiting past the deadline.
        if (delay.toNanos() >= deadlineNs - System.nanoTime()) throw failure;
        Thread.sleep(delay.toMillis());
      }
    }
  }

  private JsonNode attempt(HttpRequest request, long deadlineNs) throws InterruptedException {
    CompletableFuture<HttpResponse<String>> response = HTTP.sendAsync(request, BodyHandlers.ofString());
    try {
      return envelopeOf(response.get(deadlineNs - System.nanoTime(), TimeUnit.NANOSECONDS));
    } catch (TimeoutException error) {
      throw new PresenzaException(TIMED_OUT, "The call took too long.", error);
    } catch (ExecutionException error) {
      throw new PresenzaException(CONNECTION_FAILED, "The connection failed.", error.getCause());
    } finally {
      response.cancel(true);
    }
  }

  /** @throws PresenzaException unless the response is a success. The text of an unknown response is left out. */
  private static JsonNode envelopeOf(HttpResponse<String> response) {
    JsonNode envelope = parse(response.body());
    int status = response.statusCode();
    boolean isSuccess = envelope.path("success").asBoolean(false);
    if (isSuccess && status / 100 == 2) return envelope;
    HttpHeaders headers = response.headers();
    ApiError error = new ApiError().code(UNEXPECTED_RESPONSE).message("The response is not from this API.");
    String requestId = headers.firstValue("x-request-id").orElse(null);
    JsonNode sent = envelope.path("error");
    if (!isSuccess && sent.path("code").isTextual() && sent.path("message").isTextual()) {
      error = valueOf(sent, ApiError.class);
      requestId = envelope.path("requestId").asText(null);
    }
    Duration retryAfter =
        headers.firstValue("retry-after").map(value -> parseRetryAfter(value, Instant.now())).orElse(null);
    throw new PresenzaException(error, status, requestId, retryAfter);
  }

  private static JsonNode parse(String text) {
    try {
      return JSON.readTree(text);
    } catch (JsonProcessingException error) {
      return MissingNode.getInstance();
    }
  }

  /** Fills the ids into a path with {@code {name}} for each. */
  static String pathOf(String path, String... ids) {
    String filled = path;
    for (String id : ids) filled = filled.replaceFirst("\\{\\w+}", Matcher.quoteReplacement(encode(id)));
    return filled;
  }

  private static String queryOf(Map<String, Object> fields) {
    if (fields.isEmpty()) return "";
    return fields.entrySet().stream()
        .map(field -> field.getKey() + "=" + encode(JSON.convertValue(field.getValue(), String.class)))
        .collect(Collectors.joining("&", "?", ""));
  }

  private static String encode(String value) {
    return URLEncoder.encode(value, StandardCharsets.UTF_8).replace("+", "%20");
  }
}
