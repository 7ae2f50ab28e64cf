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

/** What the base64 after whsec_ stands for. */
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
    if (body.isEmpty()) return answer(exchange, 400, """{"error":"Missing payload"}""")
    if (body.size > MAX_BYTES) return answer(exchange, 413, """{"error":"Payload too large"}""")
    if (!isGenuine(exchange.requestHeaders, body)) return answer(exchange, 401, """{"error":"Invalid signature"}""")
    val text = String(body)
    // Give the text to the JSON parser that your project uses, and answer this where it fails.
    if (!text.startsWith("{") || !text.endsWith("}")) return answer(exchange, 400, """{"error":"Invalid JSON"}""")
    try {
        handle(text, exchange.requestHeaders.getFirst("webhook-id"))
        answer(exchange, 200, """{"status":"received"}""")
    } catch (problem: Exception) {
        answer(exchange, 500, """{"error":"Internal error"}""")
    }
}

/** [body] as it was received, before any parsing. */
fun isGenuine(headers: Headers, body: ByteArray): Boolean {
    val id = headers.getFirst("webhook-id") ?: ""
    val time = headers.getFirst("webhook-timestamp") ?: ""
    val digest = hmac(key, "$id.$time.".toByteArray() + body)
    val expected = "v1," + Base64.getEncoder().encodeToString(digest)
    // While the secret is rolled there are several signatures. One that is valid is enough.
    val signed = (headers.getFirst("webhook-signature") ?: "").split(" ").any { same(it, expected) }
    val fresh = time.toLongOrNull()?.let { abs(Instant.now().epochSecond - it) <= TOLERANCE_SECONDS } ?: false
    return signed && fresh
}

fun hmac(key: ByteArray, data: ByteArray): ByteArray =
    Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(data)

/** Compares in constant time. */
fun same(given: String, expected: String): Boolean =
    MessageDigest.isEqual(given.toByteArray(), expected.toByteArray())

/** What the decision needs of an event. What is missing there is null here. */
data class Event(val eventType: String, val sessionId: String, val result: Result? = null, val match: Match? = null)

data class Result(val isLive: Boolean)

data class Match(val isMatch: Boolean)

/** True for someone live who matches the reference image, if your backend gave one. */
fun isVerified(event: Event, withReference: Boolean): Boolean =
    event.result?.isLive == true && (event.match?.isMatch == true || (!withReference && event.match == null))

fun handle(text: String, id: String) {
    // Let the JSON parser of your project read an Event, and ignore fields that it does not know. Then:
    //     if (isVerified(event, withReference)) ...
    // Your records know whether your backend created the session with imageToCompare: that is withReference.
    // The same event may arrive more than once: remember the ids that you have handled.
    println("$id $text")
}

fun answer(exchange: HttpExchange, status: Int, json: String) {
    val bytes = json.toByteArray()
    exchange.responseHeaders.set("Content-Type", "application/json")
    exchange.sendResponseHeaders(status, bytes.size.toLong())
    exchange.responseBody.write(bytes)
}
