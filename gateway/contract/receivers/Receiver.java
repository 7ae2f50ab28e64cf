// Receives webhooks with Java 17 or later and no dependencies: WEBHOOK_SECRET=whsec_... java Receiver.java
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Map;
import java.util.concurrent.Executors;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

public final class Receiver {
    static final String SECRET = System.getenv().getOrDefault("WEBHOOK_SECRET", "");
    /** The decoded base64 after whsec_. */
    static final byte[] KEY = Base64.getDecoder().decode(SECRET.replaceFirst("^whsec_", ""));
    static final long TOLERANCE_SECONDS = 300;
    static final int MAX_BYTES = 64 * 1024;

    public static void main(String[] args) throws IOException {
        // With an empty key, anyone could sign.
        if (KEY.length < 24) throw new IllegalStateException("WEBHOOK_SECRET must be the secret of the endpoint");
        int port = Integer.parseInt(System.getenv().getOrDefault("PORT", "3000"));
        HttpServer server = HttpServer.create(new InetSocketAddress(port), 0);
        server.createContext("/", Receiver::receive);
        server.setExecutor(Executors.newFixedThreadPool(8));
        server.start();
        System.out.println("listening on " + server.getAddress().getPort());
    }

    static void receive(HttpExchange exchange) throws IOException {
        try (exchange) {
            byte[] body = exchange.getRequestBody().readNBytes(MAX_BYTES + 1);
            try {
                receive(exchange, body);
            } catch (GeneralSecurityException | RuntimeException problem) {
                respond(exchange, 500, "{\"error\":\"Internal error\"}");
            }
        }
    }

    static void receive(HttpExchange exchange, byte[] body) throws IOException, GeneralSecurityException {
        if (body.length == 0) {
            respond(exchange, 400, "{\"error\":\"Missing payload\"}");
        } else if (body.length > MAX_BYTES) {
            respond(exchange, 413, "{\"error\":\"Payload too large\"}");
        } else if (!isGenuine(exchange.getRequestHeaders(), body)) {
            respond(exchange, 401, "{\"error\":\"Invalid signature\"}");
        } else {
            String text = new String(body, StandardCharsets.UTF_8);
            // Java has no JSON parser. Parse the text with the library of your project, and respond with 400 and
            // "Invalid JSON" if it fails.
            if (!text.startsWith("{") || !text.endsWith("}")) {
                respond(exchange, 400, "{\"error\":\"Invalid JSON\"}");
                return;
            }
            handle(text, exchange.getRequestHeaders().getFirst("webhook-id"));
            respond(exchange, 200, "{\"status\":\"received\"}");
        }
    }

    /** @param body raw bytes, before any parsing */
    static boolean isGenuine(Headers headers, byte[] body) throws GeneralSecurityException {
        String time = String.valueOf(headers.getFirst("webhook-timestamp"));
        byte[] head = (headers.getFirst("webhook-id") + "." + time + ".").getBytes(StandardCharsets.UTF_8);
        String expected = "v1," + Base64.getEncoder().encodeToString(hmac(KEY, head, body));
        // During a secret rotation there are several signatures. One valid signature is enough.
        boolean signed = false;
        for (String one : String.valueOf(headers.getFirst("webhook-signature")).split(" ")) {
            signed |= same(one, expected);
        }
        boolean fresh = time.matches("\\d{1,12}")
            && Math.abs(Instant.now().getEpochSecond() - Long.parseLong(time)) <= TOLERANCE_SECONDS;
        return signed && fresh;
    }

    static byte[] hmac(byte[] key, byte[]... parts) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(key, "HmacSHA256"));
        for (byte[] part : parts) mac.update(part);
        return mac.doFinal();
    }

    /** Compares in constant time. */
    static boolean same(String given, String expected) {
        return MessageDigest.isEqual(
            given.getBytes(StandardCharsets.UTF_8), expected.getBytes(StandardCharsets.UTF_8));
    }

    /** The fields that the decision needs. Missing fields are null. */
    record Event(String eventType, String sessionId, Result result, Match match) {}

    record Result(boolean isLive) {}

    record Match(boolean isMatch) {}

    /** True if the user is live and, with a reference image, matches it. */
    static boolean isVerified(Event event, boolean withReference) {
        boolean isLive = event.result() != null && event.result().isLive();
        boolean isMatch = event.match() != null && event.match().isMatch();
        return isLive && (isMatch || (!withReference && event.match() == null));
    }

    static void handle(String text, String id) {
        // With Jackson, configured to ignore unknown fields:
        //     Event event = mapper.readValue(text, Event.class);
        //     if (isVerified(event, withReference)) ...
        // Take withReference from your own records: whether you created the session with imageToCompare.
        // An event may arrive more than once: store the ids that you have handled.
        System.out.println(Map.of("id", id, "event", text));
    }

    static void respond(HttpExchange exchange, int status, String json) throws IOException {
        byte[] bytes = json.getBytes(StandardCharsets.UTF_8);
        exchange.getResponseHeaders().set("Content-Type", "application/json");
        exchange.sendResponseHeaders(status, bytes.length);
        exchange.getResponseBody().write(bytes);
    }
}
