import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.io.File;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.reflect.Method;
import java.time.Duration;
import java.util.Base64;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.stream.Stream;
import presenza.*;

/** The failure scenarios with the library, as ../failures/run.mjs describes. */
public class Failures {
  private static final ObjectMapper JSON = new ObjectMapper();

  public static void main(String[] args) throws IOException {
    say(Map.of("methods", Stream.of(OperationsApi.class.getMethods()).map(Method::getName).toList()));
    for (JsonNode scenario : JSON.readTree(new File(System.getenv("SCENARIOS")))) {
      String name = scenario.get("name").asText();
      say(Map.of("begin", name));
      Map<String, Object> line = outcomeOf(scenario);
      line.put("name", name);
      say(line);
    }
  }

  private static void say(Map<String, ?> line) throws IOException {
    System.out.println(JSON.writeValueAsString(line));
  }

  private static Map<String, Object> outcomeOf(JsonNode scenario) {
    Map<String, Object> line = new LinkedHashMap<>();
    try {
      detect(scenario);
    } catch (PresenzaException error) {
      line.put("code", error.getCode());
      line.put("reason", error.getReason());
      line.put("status", error.getStatus() == 0 ? null : error.getStatus());
      line.put("requestId", error.getRequestId());
      line.put("retryAfter", error.getRetryAfter() == null ? null : error.getRetryAfter().toSeconds());
      line.put("text", textOf(error));
    } catch (RuntimeException error) {
      line.put("code", "OTHER");
      line.put("text", textOf(error));
    }
    return line;
  }

  private static void detect(JsonNode scenario) {
    Presenza presenza =
        new Presenza(scenario.get("apiKey").asText(), scenario.get("baseUrl").asText())
            .withRetries(scenario.get("retries").asInt());
    long timeoutMs = scenario.get("timeoutMs").asLong();
    if (timeoutMs > 0) presenza = presenza.withTimeout(Duration.ofMillis(timeoutMs));
    String key = scenario.get("idempotencyKey").asText();
    if (!key.isEmpty()) presenza = presenza.withIdempotencyKey(key);
    byte[] image = Base64.getDecoder().decode(scenario.get("image").asText());
    presenza.detect(new DetectRequest().image(Image.of(image)));
  }

  private static String textOf(Throwable error) {
    StringWriter text = new StringWriter();
    error.printStackTrace(new PrintWriter(text));
    return text.toString();
  }
}
