package presenza;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.fasterxml.jackson.databind.JsonNode;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Clock;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The documented example of the contract. */
class WebhooksTest {
  private static final String OTHER = "v1,AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=";

  private final JsonNode example;
  private final Map<String, String> headers;
  private final long sentAt;

  WebhooksTest() throws IOException {
    example = Presenza.JSON.readTree(Path.of("contract/webhook.json").toFile());
    headers = new TreeMap<>();
    example.get("headers").fields().forEachRemaining(one -> headers.put(one.getKey(), one.getValue().asText()));
    sentAt = Long.parseLong(headers.get("webhook-timestamp"));
  }

  private EventType verify(String secret, String body, long offset) {
    Clock clock = Clock.fixed(Instant.ofEpochSecond(sentAt + offset), ZoneOffset.UTC);
    return Webhooks.verify(secret, headers::get, body.getBytes(StandardCharsets.UTF_8), clock).getEventType();
  }

  private EventType verify(long offset) {
    return verify(example.get("secret").asText(), example.get("body").asText(), offset);
  }

  @ParameterizedTest
  @ValueSource(longs = {-300, 0, 300})
  void clockMayBeFiveMinutesOff(long offset) {
    assertEquals(EventType.SESSION_COMPLETED, verify(offset));
  }

  @ParameterizedTest
  @ValueSource(longs = {-301, 301})
  void clockFurtherOffIsRefused(long offset) {
    assertThrows(SecurityException.class, () -> verify(offset));
  }

  @Test
  void oldAndNewSecretVerifyDuringARotation() {
    String signature = headers.get("webhook-signature");
    headers.put("webhook-signature", OTHER + " " + signature);
    assertEquals(EventType.SESSION_COMPLETED, verify(0));
    headers.put("webhook-signature", signature + " " + OTHER);
    assertEquals(EventType.SESSION_COMPLETED, verify(0));
  }

  @Test
  void anotherBodyOrSecretIsRefused() {
    String secret = example.get("secret").asText();
    String body = example.get("body").asText();
    assertThrows(SecurityException.class, () -> verify(secret, body + " ", 0));
    String other = secret.substring(0, secret.length() - 4) + "AAAA";
    assertThrows(SecurityException.class, () -> verify(other, body, 0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"webhook-id", "webhook-timestamp", "webhook-signature"})
  void changedOrMissingHeaderIsRefused(String name) {
    headers.put(name, "1");
    assertThrows(SecurityException.class, () -> verify(0));
    headers.remove(name);
    assertThrows(SecurityException.class, () -> verify(0));
  }

  @ParameterizedTest
  @ValueSource(strings = {"", "whsec_", "whsec_AAAA"})
  void secretMustBeThatOfAnEndpoint(String secret) {
    assertThrows(IllegalArgumentException.class, () -> verify(secret, example.get("body").asText(), 0));
  }

  @Test
  void bodyMayBeText() {
    assertThrows(SecurityException.class, () -> Webhooks.verify("whsec_AAAA", headers::get, "{}"));
  }

  @Test
  void currentTimeIsTheDefault() {
    assertThrows(SecurityException.class, () -> Webhooks.verify("whsec_AAAA", headers::get, new byte[0]));
  }
}
