// Receives webhooks with Kotlin on Java 17 or later:
// kotlinc Receiver.kt -include-runtime -d receiver.jar && WEBHOOK_SECRET=whsec_... java -jar receiver.jar
import com.sun.net.httpserver.Headers
import com.sun.net.httpserver.HttpExchange
import com.sun.net.httpserver.HttpServer
import java.net.InetSocketAddress
import java.security.MessageDigest
import java.time.Instant
import java.util.Base64
import java.util.concurrent.Executors
import javax.crypto.Mac
import javax.crypto.spec.SecretKeySpec
import kotlin.math.abs

/** The decoded base64 after whsec_. */
val key: ByteArray = Base64.getDecoder().decode((System.getenv("WEBHOOK_SECRET") ?: "").removePrefix("whsec_"))
const val TOLERANCE_SECONDS = 300
const val MAX_BYTES = 64 * 1024

fun main() {
    // With an empty key, anyone could sign.
    check(key.size >= 24) { "WEBHOOK_SECRET must be the secret of the endpoint: whsec_..." }
    val server = HttpServer.create(InetSocketAddress((System.getenv("PORT") ?: "3000").toInt()), 0)
    server.createContext("/") { exchange -> exchange.use { receive(it) } }
    server.executor = Executors.newFixedThreadPool(8)
    server.start()
    println("listening on ${server.address.port}")
}

fun receive(exchange: HttpExchange) {
    val body = exchange.requestBody.readNBytes(MAX_BYTES + 1)
    if (body.isEmpty()) return respond(exchange, 400, """{"error":"Missing payload"}""")
    if (body.size > MAX_BYTES) return respond(exchange, 413, """{"error":"Payload too large"}""")
    if (!isGenuine(exchange.requestHeaders, body)) return respond(exchange, 401, """{"error":"Invalid signature"}""")
    val text = String(body)
    // Parse the text with the JSON library of your project, and respond like this if it fails.
    if (!text.startsWith("{") || !text.endsWith("}")) return respond(exchange, 400, """{"error":"Invalid JSON"}""")
    try {
        handle(text, exchange.requestHeaders.getFirst("webhook-id"))
        respond(exchange, 200, """{"status":"received"}""")
    } catch (problem: Exception) {
        respond(exchange, 500, """{"error":"Internal error"}""")
    }
}

/** [body] raw bytes, before any parsing. */
fun isGenuine(headers: Headers, body: ByteArray): Boolean {
    val id = headers.getFirst("webhook-id") ?: ""
    val time = headers.getFirst("webhook-timestamp") ?: ""
    val digest = hmac(key, "$id.$time.".toByteArray() + body)
    val expected = "v1," + Base64.getEncoder().encodeToString(digest)
    // During a secret rotation there are several signatures. One valid signature is enough.
    val signed = (headers.getFirst("webhook-signature") ?: "").split(" ").any { same(it, expected) }
    val fresh = time.toLongOrNull()?.let { abs(Instant.now().epochSecond - it) <= TOLERANCE_SECONDS } ?: false
    return signed && fresh
}

fun hmac(key: ByteArray, data: ByteArray): ByteArray =
    Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(data)

/** Compares in constant time. */
fun same(given: String, expected: String): Boolean =
    MessageDigest.isEqual(given.toByteArray(), expected.toByteArray())

/** The fields that the decision needs. Missing fields are null. */
data class Event(val eventType: String, val sessionId: String, val result: Result? = null, val match: Match? = null)

data class Result(val isLive: Boolean)

data class Match(val isMatch: Boolean)

/** True if the user is live and, with a reference image, matches it. */
fun isVerified(event: Event, withReference: Boolean): Boolean =
    event.result?.isLive == true && (event.match?.isMatch == true || (!withReference && event.match == null))

fun handle(text: String, id: String) {
    // Parse an Event with the JSON library of your project, ignoring unknown fields. Then:
    //     if (isVerified(event, withReference)) ...
    // Take withReference from your own records: whether you created the session with imageToCompare.
    // An event may arrive more than once: store the ids that you have handled.
    println("$id $text")
}

fun respond(exchange: HttpExchange, status: Int, json: String) {
    val bytes = json.toByteArray()
    exchange.responseHeaders.set("Content-Type", "application/json")
    exchange.sendResponseHeaders(status, bytes.size.toLong())
    exchange.responseBody.write(bytes)
}
