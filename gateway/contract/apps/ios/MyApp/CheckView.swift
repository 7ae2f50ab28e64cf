import AuthenticationServices
import SwiftUI

struct CheckView: View {
    let checks: Checks
    @Environment(\.webAuthenticationSession) private var browser
    @Environment(\.scenePhase) private var phase
    /// iOS may end the app in the background, and keeps this value.
    @SceneStorage("sessionId") private var sessionId: String?
    @State private var inApp: Check?
    @State private var isBusy = false
    @State private var message = "A short check with the camera confirms that it is really you."

    var body: some View {
        VStack(spacing: 16) {
            Text(message)
            Button("Verify in the browser") { Task { await verifyInBrowser() } }
            Button("Verify in this app") { Task { await verifyInApp() } }
        }
        .disabled(isBusy)
        .padding()
        .fullScreenCover(item: $inApp, onDismiss: { Task { await showOutcome() } }) { check in
            NavigationStack {
                WebCheckView(page: check.verificationUrl) { inApp = nil }
                    .toolbar { Button("Close") { inApp = nil } }
            }
        }
        // After a new start of the app, and whenever the user returns to it.
        .task(id: phase) {
            if phase == .active && !isBusy && inApp == nil { await showOutcome() }
        }
    }

    // region browser
    private func verifyInBrowser() async {
        guard let check = await begin() else { return }
        isBusy = true
        // The URL that returns is ignored, and so is a closed browser: only the backend knows the outcome.
        _ = try? await browser.authenticate(
            using: check.verificationUrl,
            callbackURLScheme: "myapp",
            preferredBrowserSession: .ephemeral
        )
        isBusy = false
        await showOutcome()
    }
    // endregion

    private func verifyInApp() async {
        inApp = await begin()
    }

    private func begin() async -> Check? {
        isBusy = true
        defer { isBusy = false }
        do {
            let check = try await checks.start()
            sessionId = check.sessionId
            return check
        } catch {
            message = "The check could not be started. Try again in a moment."
            return nil
        }
    }

    // region outcome
    private func showOutcome() async {
        guard let shown = sessionId else { return }
        message = "One moment."
        let outcome = (try? await checks.outcome(of: shown)) ?? .pending
        // A new check may have started in the meantime.
        guard shown == sessionId, !isBusy, !Task.isCancelled else { return }
        switch outcome {
        case .passed: message = "Thank you, that worked."
        case .pending: message = "There is no result yet. Return to this screen in a moment."
        default: message = "The check did not pass."
        }
    }
    // endregion
}
