import Foundation

struct Check: Decodable, Identifiable {
    let sessionId: String
    let verificationUrl: URL

    var id: String { sessionId }
}

enum CheckOutcome: String, Decodable {
    case pending, passed, failed, cancelled, expired, unknown
}

enum CheckError: Error {
    case backend(status: Int)
}

struct Checks {
    /// Your own backend, never the API itself.
    let backend: URL
    var session: URLSession = .shared

    // region calls
    func start() async throws -> Check {
        var request = URLRequest(url: backend.appendingPathComponent("checks"))
        request.httpMethod = "POST"
        request.timeoutInterval = 15
        return try await send(request)
    }

    /// Polls until the webhook has reached the backend, then returns the outcome.
    func outcome(of sessionId: String, attempts: Int = 20) async throws -> CheckOutcome {
        let url = backend.appendingPathComponent("checks/\(sessionId)")
        for _ in 0..<attempts {
            let state: [String: CheckOutcome] = try await send(URLRequest(url: url))
            if let status = state["status"], status != .pending { return status }
            try await Task.sleep(nanoseconds: 1_000_000_000)
        }
        return .pending
    }
    // endregion

    private func send<Body: Decodable>(_ request: URLRequest) async throws -> Body {
        let (data, response) = try await session.data(for: request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard status == 200 else { throw CheckError.backend(status: status) }
        return try JSONDecoder().decode(Body.self, from: data)
    }
}
