import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

struct Mute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mute", abstract: "Raise nothing but critical notifications for a while.",
        discussion: """
            Say for how long or until when:
              crier mute 1h
              crier mute until 08:00
            What comes meanwhile waits, and is told as one summary when it is over. `crier unmute` ends it at once. The time of \
            day is that of this machine, whatever `time-zone` of the configuration says.
            """)

    @OptionGroup var options: GlobalOptions

    /// With all that is no option: `-1h` would else be taken for `-1` and `-h`.
    @Argument(parsing: .allUnrecognized, help: ArgumentHelp("1h, or until 08:00.", valueName: "how-long"))
    var words: [String]

    /// What is no option takes in the `--` before it, too.
    mutating func validate() throws {
        let terminator = words.firstIndex(of: "--") ?? words.endIndex
        if let option = words[..<terminator].first(where: { $0.hasPrefix("--") }) {
            throw ValidationError("Unknown option '\(option)'")
        }
        if terminator < words.endIndex { words.remove(at: terminator) }
    }

    func run() async throws {
        let now = SystemClock().now
        let end: Date
        do { end = try MuteEnd.date(words, now: now, timeZone: .current) } catch {
            throw failure(error.description.shown, ExitStatus.usage)
        }
        let store = try options.openStore()
        try storeErrors { try store.mute(until: end, since: now) }
        await AgentClient.wake(store.path)
        Terminal.line("Muted until \(RelativeTime.absolute(end)): only critical notifications are raised.")
    }
}

struct Unmute: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "unmute", abstract: "End `crier mute`.")

    @OptionGroup var options: GlobalOptions

    func run() async throws {
        guard let store = try options.existingStore() else { return Terminal.line("It was not muted.") }
        let (isMuted, waiting) = try storeErrors {
            let isMuted = try store.mutedUntil(at: SystemClock().now) != nil
            try store.mute(until: nil)
            let sinks = options.readableConfiguration?.sinks.map(\.name)
            let now = SystemClock().now
            return (isMuted, try sinks.map { try store.quietedCount(at: $0, now: now) } ?? store.quietedCount())
        }
        let moment = await momentOfDelivery(from: store.path)
        let what = "What waited (\(waiting))"
        let waited = waiting == 0 ? "" : " \(try options.promise(what, "comes", moment, in: store))"
        Terminal.line((isMuted ? "No longer muted." : "It was not muted.") + waited)
    }
}
