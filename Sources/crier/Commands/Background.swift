import ArgumentParser
import CrierAgent
import CrierFetch
import CrierStore

struct Background: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "background", abstract: "Switch fetching in the background on or off, or make it rarer.",
        discussion: """
            Without arguments it says how it is. The switch is for what runs by itself, the agent as well as a timer or cron \
            (`crier fetch --scheduled`): while it is off, they go on delivering, but fetch nothing. You still can: \
            `crier fetch` does not care. No restart switches it on again.

              crier background off
              crier background --minimum-interval 30m  no source more often
              crier background --minimum-interval 0s   each as often as it says
            An interval holds from each source's next visit on.
            """)

    enum Switch: String, ExpressibleByArgument, CaseIterable {
        case on, off
    }

    @OptionGroup var options: GlobalOptions

    @Argument(help: "on or off.")
    var state: Switch?

    @Option(
        help: ArgumentHelp(
            "The least time between two visits to any source, such as 30m; up to 24h.", valueName: "time"))
    var minimumInterval: String?

    func run() async throws {
        let interval = try minimumInterval.map { try duration($0) }
        guard state != nil || interval != nil else {
            let store = try options.existingStore()
            return tell(try storeErrors { try store?.backgroundSettings() ?? BackgroundSettings() })
        }
        let store = try options.openStore()
        let settings = try storeErrors {
            var settings = try store.backgroundSettings()
            let before = settings
            if let state { settings.isOn = state == .on }
            if let interval { settings.minimumInterval = interval }
            if settings != before { try store.setBackgroundSettings(settings) }
            return settings
        }
        await AgentClient.wake(store.path)
        tell(settings, tellsInterval: interval != nil)
    }

    private func tell(_ settings: BackgroundSettings, tellsInterval: Bool = false) {
        let least =
            settings.minimumInterval > .zero
            ? ", no source more often than every \(settings.minimumInterval.words), from its next visit on"
            : tellsInterval ? ", each source as often as it says, from its next visit on" : ""
        Terminal.line("Fetching in the background is \(settings.isOn ? "on" : "off")\(least).")
    }

    private func duration(_ text: String) throws -> Duration {
        do { return try BackgroundInterval.duration(text) } catch {
            throw failure("--minimum-interval: \(error.description.shown)", ExitStatus.usage)
        }
    }
}
