// Receives webhooks with Swift 5.9 and Vapor 4: a main.swift of a package that depends on vapor and swift-crypto.
// WEBHOOK_SECRET=whsec_... swift run
import Crypto
import Foundation
import Vapor

let secret = Environment.get("WEBHOOK_SECRET") ?? ""
let toleranceSeconds = 300.0

/// - Parameter body: as it was received, before any parsing.
func isGenuine(_ headers: HTTPHeaders, _ body: Data) -> Bool {
    // The key is the whole secret as text, whsec_ included.
    let simpleKey = SymmetricKey(data: Data(secret.utf8))
    let simple = (headers.first(name: "X-Presenza-Signature") ?? "").dropFirst("sha256=".count)
    // This signature covers id and time as well. Its key is what the base64 after whsec_ stands for.
    let id = headers.first(name: "webhook-id") ?? ""
    let time = headers.first(name: "webhook-timestamp") ?? ""
    guard let decoded = Data(base64Encoded: String(secret.dropFirst("whsec_".count))) else { return false }
    let signedBytes = Data("\(id).\(time).".utf8) + body
    let signatures = (headers.first(name: "webhook-signature") ?? "").split(separator: " ")
    let signed = signatures.contains { one in
        guard one.hasPrefix("v1,"), let code = Data(base64Encoded: String(one.dropFirst(3))) else { return false }
        // Compares in a time that does not tell how much is right.
        return HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: signedBytes, using: SymmetricKey(data: decoded))
    }
    guard let code = bytes(ofHex: simple), let sentAt = Double(time) else { return false }
    let fresh = abs(Date().timeIntervalSince1970 - sentAt) <= toleranceSeconds
    return HMAC<SHA256>.isValidAuthenticationCode(code, authenticating: body, using: simpleKey) && signed && fresh
}

func bytes(ofHex text: Substring) -> Data? {
    guard text.count == 64 else { return nil }
    let pairs = stride(from: 0, to: 64, by: 2).map { text.dropFirst($0).prefix(2) }
    let values = pairs.compactMap { UInt8($0, radix: 16) }
    return values.count == 32 ? Data(values) : nil
}

struct Event: Content {
    let eventType: String
    let sessionId: String
}

func handle(_ event: Event, id: String) {
    // The same event may come more than once: remember the ids that you have handled.
    print(id, event.eventType, event.sessionId)
}

func answer(_ status: HTTPStatus, _ content: [String: String]) throws -> Response {
    let response = Response(status: status)
    try response.content.encode(content, as: .json)
    return response
}

let app = try await Application.make(.detect())
app.http.server.configuration.port = Int(Environment.get("PORT") ?? "3000") ?? 3000
app.on(.POST, "**", body: .collect(maxSize: "64kb")) { request -> Response in
    guard let buffer = request.body.data, buffer.readableBytes > 0 else {
        return try answer(.badRequest, ["error": "Missing payload"])
    }
    let body = Data(buffer: buffer)
    guard isGenuine(request.headers, body) else {
        return try answer(.unauthorized, ["error": "Invalid signature"])
    }
    guard let event = try? JSONDecoder().decode(Event.self, from: body) else {
        return try answer(.badRequest, ["error": "Invalid JSON"])
    }
    handle(event, id: request.headers.first(name: "webhook-id") ?? "")
    return try answer(.ok, ["status": "received"])
}
try await app.execute()
