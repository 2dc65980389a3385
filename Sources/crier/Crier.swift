import ArgumentParser
import CrierAgent
import CrierNotifications

@main
struct Crier: AsyncParsableCommand {
    static func main() async {
        SharedHeap.set()
        Terminal.openStandardStreams()
        do {
            var command = try parseAsRoot()
            if let agent = command as? AgentCommand {
                // From its first step on: what it does elsewhere before it does there for ever.
                try await withTaskExecutorPreference(QuietLane.shared) { try await agent.run() }
            } else if var command = command as? any AsyncParsableCommand {
                try await command.run()
            } else {
                try command.run()
            }
            try Terminal.checkOutput()
        } catch {
            exit(withError: error)
        }
    }

    static let configuration = CommandConfiguration(
        commandName: "crier",
        abstract: "Tells you what is new: polls feeds and content APIs politely and raises notifications.",
        discussion: """
            A first notification:
              crier add https://www.swift.org/blog/   follow a feed, found from its page
              crier authorize                          let crier notify you
              crier fetch                              visit what is due, raise what is new

            Then let `crier agent` stay and do both, or let cron or a timer run `crier fetch --scheduled --quiet` every ten minutes; each \
            source is visited when it is due.

            Files: $XDG_CONFIG_HOME/crier/crier.yaml (sources and sinks), $XDG_STATE_HOME/crier/crier.sqlite (what was raised).

            Exit status: 0 done, 64 wrong usage, 65 unreadable data, 66 no configuration or input, 69 network or service \
            unavailable, 73 a file is there already, 74 disk error, 75 another run is at work, 77 not authorized, 78 bad configuration.
            """,
        version: CrierVersion.number,
        groupedSubcommands: [
            CommandGroup(
                name: "Sources",
                subcommands: [Add.self, Remove.self, List.self, Check.self, Try.self, Import.self, Export.self]),
            CommandGroup(
                name: "Running",
                subcommands: [
                    Fetch.self, DigestCommand.self, AgentCommand.self, Background.self, Authorize.self, Mute.self,
                    Unmute.self, Install.self, Uninstall.self, SimulateCommand.self,
                ]),
            CommandGroup(
                name: "Looking",
                subcommands: [
                    Watch.self, Status.self, Why.self, Log.self, Deliveries.self, SinkCommand.self, DoctorCommand.self,
                ]),
            CommandGroup(name: "Other", subcommands: [Backup.self, Vacuum.self, Parse.self, Completion.self]),
        ])
}
