import SwiftUI
import WebKit

/// Shows the hosted page in the app. The page gets the camera, and other origins get nothing.
struct WebCheckView: UIViewRepresentable {
    let page: URL
    let onReturn: () -> Void

    func makeCoordinator() -> Coordinator {
        Coordinator(page: page, onReturn: onReturn)
    }

    // region view
    func makeUIView(context: Context) -> WKWebView {
        let configuration = WKWebViewConfiguration()
        // Otherwise, the video of the camera covers the page.
        configuration.allowsInlineMediaPlayback = true
        let view = WKWebView(frame: .zero, configuration: configuration)
        view.uiDelegate = context.coordinator
        view.navigationDelegate = context.coordinator
        view.load(URLRequest(url: page))
        return view
    }
    // endregion

    func updateUIView(_ view: WKWebView, context: Context) {}

    @MainActor
    final class Coordinator: NSObject, WKUIDelegate, WKNavigationDelegate {
        private let page: URL
        private let onReturn: () -> Void

        init(page: URL, onReturn: @escaping () -> Void) {
            self.page = page
            self.onReturn = onReturn
        }

        // region camera
        /// iOS asks the user for the camera of the app. This decision spares them the same question by the page.
        func webView(
            _ webView: WKWebView,
            decideMediaCapturePermissionsFor origin: WKSecurityOrigin,
            initiatedBy frame: WKFrameInfo,
            type: WKMediaCaptureType
        ) async -> WKPermissionDecision {
            let isOfPage = origin.protocol == page.scheme && origin.host == page.host
            return isOfPage && origin.port == page.port ?? 0 && type == .camera ? .grant : .deny
        }
        // endregion

        // region navigation
        func webView(
            _ webView: WKWebView,
            decidePolicyFor action: WKNavigationAction
        ) async -> WKNavigationActionPolicy {
            guard let url = action.request.url else { return .cancel }
            let isOnPage = url.scheme == page.scheme && url.host == page.host && url.port == page.port
            if isOnPage && action.targetFrame != nil { return .allow }
            if url.scheme == "myapp" {
                onReturn()
            } else if url.scheme == "https" {
                _ = await UIApplication.shared.open(url)
            }
            return .cancel
        }
        // endregion

        /// iOS ended the process of the page, and an empty view remains.
        func webViewWebContentProcessDidTerminate(_ webView: WKWebView) {
            onReturn()
        }
    }
}
