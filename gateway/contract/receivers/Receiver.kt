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

val secret: String = System.getenv("WEBHOOK_SECRET") ?: ""
const val TOLERANCE_SECONDS = 300
const val MAX_BYTES = 64 * 1024

fun main() {
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
    // The key is the whole secret as text, whsec_ included.
    val hex = hmac(secret.toByteArray(), body).joinToString("") { "%02x".format(it) }
    val simple = same(headers.getFirst("X-Presenza-Signature") ?: "", "sha256=$hex")
    // This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
    val id = headers.getFirst("webhook-id") ?: ""
    val time = headers.getFirst("webhook-timestamp") ?: ""
    val key = Base64.getDecoder().decode(secret.removePrefix("whsec_"))
    val digest = hmac(key, "$id.$time.".toByteArray() + body)
    val standard = "v1," + Base64.getEncoder().encodeToString(digest)
    val signed = (headers.getFirst("webhook-signature") ?: "").split(" ").any { same(it, standard) }
    val fresh = time.toLongOrNull()?.let { abs(Instant.now().epochSecond - it) <= TOLERANCE_SECONDS } ?: false
    return simple && signed && fresh
}

fun hmac(key: ByteArray, data: ByteArray): ByteArray =
    Mac.getInstance("HmacSHA256").apply { init(SecretKeySpec(key, "HmacSHA256")) }.doFinal(data)

/** Compares in a time that does not tell how much is right. */
fun same(given: String, expected: String): Boolean =
    MessageDigest.isEqual(given.toByteArray(), expected.toByteArray())

fun handle(event: String, id: String) {
    // The same event may come more than once: remember the ids that you have handled.
    println("$id $event")
}

fun answer(exchange: HttpExchange, status: Int, json: String) {
    val bytes = json.toByteArray()
    exchange.responseHeaders.set("Content-Type", "application/json")
    exchange.sendResponseHeaders(status, bytes.size.toLong())
    exchange.responseBody.write(bytes)
}
