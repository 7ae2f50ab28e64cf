package presenza;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Clock;
import java.util.Base64;
import java.util.Objects;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Verifies webhooks by Standard Webhooks. */
public final class Webhooks {
  private static final long TOLERANCE_SECONDS = 300;

  private Webhooks() {}

  /**
   * Returns the event of a webhook with a valid signature. During a rotation, the old and the new secret both verify.
   *
   * @param secret whsec_ and base64
   * @param header returns the value of a header, such as {@code request::getHeader}
   * @param body raw body, before any parsing
   * @throws SecurityException if the service did not send the webhook, or sent it more than five minutes ago: respond
   *     with status 401
   * @throws IllegalArgumentException if the secret is not that of an endpoint
   */
  public static WebhookEvent verify(String secret, UnaryOperator<String> header, byte[] body) {
    return verify(secret, header, body, Clock.systemUTC());
  }

  /** The same for a raw body as text. */
  public static WebhookEvent verify(String secret, UnaryOperator<String> header, String body) {
    return verify(secret, header, body.getBytes(StandardCharsets.UTF_8));
  }

  static WebhookEvent verify(String secret, UnaryOperator<String> header, byte[] body, Clock clock) {
    String timestamp = Objects.requireNonNullElse(header.apply("webhook-timestamp"), "");
    String signatures = Objects.requireNonNullElse(header.apply("webhook-signature"), "");
    boolean isRecent =
        timestamp.matches("\\d{1,15}")
            && Math.abs(clock.instant().getEpochSecond() - Long.parseLong(timestamp)) <= TOLERANCE_SECONDS;
    if (!isRecent) throw new SecurityException("The timestamp of the webhook is too far from the clock.");
    String start = header.apply("webhook-id") + "." + timestamp + ".";
    byte[] expected = ("v1," + signature(secret, start, body)).getBytes(StandardCharsets.UTF_8);
    Stream<byte[]> given = Stream.of(signatures.split(" ")).map(one -> one.getBytes(StandardCharsets.UTF_8));
    if (given.noneMatch(one -> MessageDigest.isEqual(one, expected)))
      throw new SecurityException("The signature of the webhook is invalid.");
    try {
      return Presenza.JSON.readValue(body, WebhookEvent.class);
    } catch (IOException error) {
      throw new IllegalArgumentException("The signed body is not an event.", error);
    }
  }

  private static String signature(String secret, String start, byte[] body) {
    byte[] key = Base64.getDecoder().decode(secret.replaceFirst("^whsec_", ""));
    // With an empty key, anyone could sign.
    if (key.length < 24) throw new IllegalArgumentException("The secret must be that of the endpoint: whsec_ and base64.");
    try {
      Mac mac = Mac.getInstance("HmacSHA256");
      mac.init(new SecretKeySpec(key, "HmacSHA256"));
      mac.update(start.getBytes(StandardCharsets.UTF_8));
      return Base64.getEncoder().encodeToString(mac.doFinal(body));
    } catch (GeneralSecurityException error) {
      throw new IllegalStateException(error);
    }
  }
}
