// Receives webhooks with Swift 5.9 and Vapor 4: a main.swift of a package that depends on vapor and swift-crypto.
// WEBHOOK_SECRET=whsec_... swift run
import Crypto
import Foundation
import Vapor

let secret = Environment.get("WEBHOOK_SECRET") ?? ""
/// Take this from your own records for each session. Here, one setting applies to all sessions.
let withReference = Environment.get("WITH_REFERENCE") == "true"
let toleranceSeconds = 300.0

/// The decoded base64 after whsec_. With an empty key, anyone could sign.
let key = Data(base64Encoded: String(secret.dropFirst("whsec_".count))) ?? Data()
precondition(key.count >= 24, "WEBHOOK_SECRET must be the secret of the endpoint: whsec_...")

/// - Parameter body: raw bytes, before any parsing.
func isGenuine(_ headers: HTTPHeaders, _ body: Data) -> Bool {
    let id = headers.first(name: "webhook-id") ?? ""
    let time = headers.first(name: "webhook-timestamp") ?? ""
    let signedBytes = Data("\(id).\(time).".utf8) + body
    // During a secret rotation there are several signatures. One valid signature is enough.
    let signatures = (headers.first(name: "webhook-signature") ?? "").split(separator: " ")
    let signed = signatures.contains { one in
        guard one.hasPrefix("v1,"), let code = Data(base64Encoded: String(one.dropFirst(3))) else { return false }
        // Compares in constant time.
        return HMAC<SHA256>.isValidAuthenticationCode(
            code, authenticating: signedBytes, using: SymmetricKey(data: key))
    }
    guard let sentAt = Double(time) else { return false }
    return signed && abs(Date().timeIntervalSince1970 - sentAt) <= toleranceSeconds
}

struct Event: Content {
    struct Result: Content {
        let isLive: Bool
    }

    struct Match: Content {
        let isMatch: Bool
    }

    let eventType: String
    let sessionId: String
    let result: Result?
    let match: Match?
}

/// True if the user is live and, with a reference image, matches it.
func isVerified(_ event: Event, withReference: Bool) -> Bool {
    event.result?.isLive == true && (event.match?.isMatch == true || (!withReference && event.match == nil))
}

func handle(_ event: Event, id: String) {
    // An event may arrive more than once: store the ids that you have handled.
    let decision = isVerified(event, withReference: withReference) ? "verified" : "not verified"
    print(id, event.eventType, event.sessionId, decision)
}

func respond(_ status: HTTPStatus, _ content: [String: String]) throws -> Response {
    let response = Response(status: status)
    try response.content.encode(content, as: .json)
    return response
}

let app = try await Application.make(.detect())
app.http.server.configuration.port = Int(Environment.get("PORT") ?? "3000") ?? 3000
app.on(.POST, "**", body: .collect(maxSize: "64kb")) { request -> Response in
    guard let buffer = request.body.data, buffer.readableBytes > 0 else {
        return try respond(.badRequest, ["error": "Missing payload"])
    }
    let body = Data(buffer: buffer)
    guard isGenuine(request.headers, body) else {
        return try respond(.unauthorized, ["error": "Invalid signature"])
    }
    guard let event = try? JSONDecoder().decode(Event.self, from: body) else {
        return try respond(.badRequest, ["error": "Invalid JSON"])
    }
    handle(event, id: request.headers.first(name: "webhook-id") ?? "")
    return try respond(.ok, ["status": "received"])
}
try await app.execute()
