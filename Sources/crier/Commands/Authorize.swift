import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

struct Authorize: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "authorize", abstract: "Let Crier raise notifications, or not.",
        discussion: """
            Until you decide, notifications are held and nothing is lost. A no is remembered: they are recorded and never \
            raised, until you change it here. Exit status: 77 when the question is answered with no, or not at all.
            """)

    @OptionGroup var options: GlobalOptions

    @Flag(help: "Say yes without being asked; for scripts.")
    var allow = false

    @Flag(help: "Say no without being asked; for scripts.")
    var deny = false

    @Flag(help: "Forget the decision: the next run with a terminal asks again.")
    var reset = false

    func validate() throws {
        if [allow, deny, reset].filter({ $0 }).count > 1 {
            throw ValidationError("choose one of --allow, --deny and --reset")
        }
    }

    func run() async throws {
        // Whether the state can be read is known before the question; it is made only after an answer.
        _ = try options.existingStore()
        guard let status = try await interruptible({ await decision() }) else {
            throw failure("no answer, nothing changed; in a script use --allow or --deny", ExitStatus.notAuthorized)
        }
        let store = try options.openStore()
        let allowed: AuthorizationOptions = status == .authorized ? [.alert, .sound, .badge] : []
        try storeErrors {
            try store.setNotificationSettings(
                NotificationSettings(authorizationStatus: status, options: allowed), at: SystemClock().now)
        }
        let held = try storeErrors { try store.waitingCounts().held }
        let moment = await momentOfDelivery(from: store.path)
        switch status {
        case .authorized:
            let waited = held == 0 ? "" : " \(try options.promise("What waited (\(held))", "comes", moment, in: store))"
            Terminal.line("Crier may raise notifications.\(waited)")
        case .denied: Terminal.line("Crier stays silent and records what it would have said of what is fetched.")
        case .notDetermined: Terminal.line("The decision is forgotten; notifications are held until you decide.")
        }
        if status == .denied, !deny { throw ExitStatus.notAuthorized }
    }

    /// Nil without an answer.
    private func decision() async -> AuthorizationStatus? {
        if allow { return .authorized }
        if deny { return .denied }
        if reset { return .notDetermined }
        guard Terminal.canAsk else { return nil }
        return await Terminal.askWhether("May Crier raise notifications?").map { $0 ? .authorized : .denied }
    }
}
