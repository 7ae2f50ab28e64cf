import SwiftUI

@main
struct MyApp: App {
    private let checks = Checks(backend: URL(string: "https://app.example.com")!)

    var body: some Scene {
        WindowGroup {
            CheckView(checks: checks)
        }
    }
}
