import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierStore

struct Watch: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Show what the agent raises, as it is raised.",
        discussion: """
            Prints each notification once, whichever sinks it goes to, until the agent ends or you press Ctrl-C. At a \
            terminal you have it before your eyes, and the desktop is spared; all other sinks get it as ever.

            --format json prints one JSON object per notification; its keys are told at https://github.com/crier/crier#commands.

            Exit status: 0 the agent has ended; 69 no agent is running; 74 standard output cannot be written; 75 the agent was \
            killed, or works with another configuration than that of --config; 141 nobody reads standard output any more.
            """)

    @OptionGroup var options: GlobalOptions

    @Option(help: "text or json.")
    var format: OutputFormat = .text

    func run() async throws {
        let statePath = try options.statePath()
        guard let (client, agent) = await AgentClient.ofState(statePath) else {
            let advice = RunLock.holder(statePath: statePath)?.advice
            throw failure(
                advice ?? "no agent is running for this state: `crier agent` starts one", ExitStatus.unavailable)
        }
        // It needs none itself: only who names one is told that it is another.
        if options.config != nil { try agent.check(isUsing: try options.configPath()) }
        let isTerminal = Terminal.stdoutIsTerminal
        let sink = StdoutSink(format: format == .json ? .json : .text, isTerminal: Terminal.hasColour)
        do {
            let trouble = try await interruptible { try await Self.trouble(watching: client, isTerminal, sink) }
            if let trouble { throw failure(unprinted: trouble) }
        } catch let error as AgentClient.Failure {
            throw failure(error.description.shown, ExitStatus.temporaryFailure)
        }
    }

    /// Why something could not be shown, which ends the watch; nil where the agent has ended.
    private static func trouble(
        watching client: AgentClient, _ isTerminal: Bool, _ sink: StdoutSink
    ) async throws -> String? {
        var trouble: String?
        try await client.watch(
            isTerminal: isTerminal,
            begin: { Terminal.note("Watching; Ctrl-C ends it.") },
            show: { raised in
                trouble = await sink.deliver(raised.attempt).reason
                return trouble == nil
            })
        return trouble
    }
}
