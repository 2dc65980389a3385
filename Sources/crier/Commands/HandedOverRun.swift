import ArgumentParser
import CrierAgent
import CrierFetch

/// A run that the agent makes while this process prints what it would have printed itself.
struct HandedOverRun {
    let client: AgentClient
    let configuration: Configuration
    let format: OutputFormat?

    /// - Throws: An exit status, after saying why, where the agent of this state works with another configuration.
    init(
        to agent: (client: AgentClient, description: AgentDescription), configPath: String,
        _ configuration: Configuration, format: OutputFormat?
    ) throws {
        try agent.description.check(isUsing: configPath)
        client = agent.client
        self.configuration = configuration
        self.format = format
    }

    /// - Parameter isWatched: Whether a person waits at a terminal.
    /// - Returns: Also why something could not be printed, which the agent has raised itself then.
    func run(
        _ order: FetchOrder, progress: FetchProgress, isWatched: Bool
    ) async throws -> (account: RunAccount, unprinted: String?) {
        let surroundings = Surroundings(
            stdoutFormat: format, stdoutIsTerminal: Terminal.hasColour,
            digestPrint: Terminal.digestPrint, output: progress.output)
        let looks = configuration.digestLooks
        let sinks = configuration.sinks.map { $0.makeSink(surroundings, looks: looks) }
        do {
            return try await interruptible {
                if isWatched { await tellWait() }
                var unprinted: String?
                let account = try await client.fetch(order) { visit in
                    progress.tell(visit)
                } show: { raised in
                    guard let sink = sinks.first(where: { $0.name == raised.sink }) else { return false }
                    guard let reason = await sink.sink.deliver(raised.attempt).reason else { return true }
                    unprinted = reason
                    return false
                }
                return (account, unprinted)
            }
        } catch let error as AgentClient.Failure {
            throw failure(
                error.description.shown, error.status.map { ExitCode($0) } ?? ExitStatus.temporaryFailure)
        }
    }

    /// Says what the agent brings to its end before it does what is asked for: an origin may not answer for long.
    private func tellWait() async {
        guard let visited = try? await client.status().visited else { return }
        Terminal.note("The agent is at work, and visits \(visited) now; what you ask for comes after that.")
    }
}

extension AgentDescription {
    /// - Throws: An exit status, after saying why, where it works with another configuration.
    func check(isUsing configPath: String) throws {
        if let words = otherness(from: configPath) { throw failure(words.shown, ExitStatus.temporaryFailure) }
    }
}
