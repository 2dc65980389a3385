import ArgumentParser
import CrierAgent
import CrierFetch
import CrierStore
import Foundation
import Logging

struct AgentCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "agent", abstract: "Stay and keep both queues moving: fetch when due, deliver when due.",
        discussion: """
            One agent works for each user; systemd, launchd or you start it. It sleeps until the next source or delivery is \
            due. While it runs, `crier fetch` hands its run over to it, `crier watch` shows what is raised, and what other \
            commands change holds at once.

            It fetches only when you have allowed notifications (`crier authorize`; `background: always` in the \
            configuration changes that) and while `crier background` is on. One fetch may take 30 s.

            SIGTERM ends it within 2 s with nothing half done, and so does the end of the terminal in whose foreground \
            it was started; `nohup` lets it stay. A changed configuration file is read again by itself, and at \
            SIGHUP; one with a mistake is told of, and the configuration in force stays. Where there is none yet, the agent \
            waits for it, and leaves the state to other runs until then. A source whose name has changed and whose address has \
            not keeps what is remembered of it.

            Its log goes to standard error, with priorities where that is systemd's journal. Other commands reach it at \
            $XDG_RUNTIME_DIR/crier/agent.sock, which only you may open; where it cannot be made, the agent says so and works on.

            A corrupt state is set aside, never deleted, and the agent starts afresh; run `crier authorize` then.

            Exit status: 0 asked to end; 65 the state is of a later version or of another program, or no database; 66 the \
            configuration cannot be read; 74 the state file was removed or replaced, could not be read, or was found to be corrupt and set aside \
            (systemd starts the agent again, on what is there then); 75 another agent or run is at work; 78 the configuration cannot be used.
            """)

    enum LogLevel: String, ExpressibleByArgument, CaseIterable {
        case debug, info, notice, warning, error
    }

    @OptionGroup var options: GlobalOptions

    @Option(help: "How to write the log: text or json.")
    var logFormat: DiagnosticLog.Format = .text

    @Option(
        help: ArgumentHelp(
            "The least serious messages that stand in the log.", valueName: "level"))
    var logLevel: LogLevel = .info

    func run() async throws {
        let file = ConfigurationFile(path: try options.configPath())
        let surroundings = Surroundings(
            environment: GlobalOptions.environment,
            logger: DiagnosticLog.logger(
                format: logFormat, level: Logger.Level(rawValue: logLevel.rawValue) ?? .info),
            stdoutIsTerminal: Terminal.hasColour)
        if let bytes = try ConfigurationText.bytes(file.path) { return try await work(file, bytes, surroundings) }
        let signals = await AgentSignals()
        // It may be asked to end when it has begun and does not hear of it yet.
        let lastResort = LastResort()
        defer { lastResort.end() }
        var useless: [UInt8]?
        while await ConfigurationWait(for: file, besides: useless, signals: signals, surroundings: surroundings).run() {
            guard let bytes = try ConfigurationText.bytes(file.path) else { continue }
            let result = Configuration.load(
                bytes: bytes, file: file.path, language: Digest.Language(environment: GlobalOptions.environment))
            // Its author is there, and at work on it.
            guard result.configuration == nil else { return try await work(file, bytes, surroundings, signals) }
            surroundings.tell(result.problems)
            useless = bytes
        }
    }

    /// - Parameters:
    ///   - bytes: The same that the configuration is read from: what changes meanwhile is noticed.
    ///   - signals: Those that were taken over before.
    private func work(
        _ file: ConfigurationFile, _ bytes: [UInt8], _ surroundings: Surroundings, _ signals: AgentSignals? = nil
    ) async throws {
        let result = Configuration.load(
            bytes: bytes, file: file.path, language: Digest.Language(environment: GlobalOptions.environment))
        surroundings.tell(result.problems)
        guard let configuration = result.configuration else { throw ExitStatus.badConfiguration }
        let statePath = try options.statePath()
        do {
            let lock = try RunLock(statePath: statePath)
            let store = try openedStore(statePath, isAfterUncleanEnd: lock.isAfterUncleanEnd, surroundings.logger)
            var surroundings = surroundings
            surroundings.readings = lock.readings
            lock.readings.limit()
            let agent = await Agent(
                file: file, bytes: bytes, hasMistakes: !result.problems.isEmpty, configuration: configuration,
                store: store, surroundings: surroundings, signals: signals)
            let lastResort = LastResort()
            defer { lastResort.end() }
            do {
                try await agent.run()
            } catch let error as StoreError {
                throw try afresh(error, statePath)
            }
            _ = consume lock
        } catch let error as StoreError {
            throw told(error, path: nil)
        } catch let error as Agent.Failure {
            throw failure(error.description, ExitStatus.temporaryFailure)
        }
    }

    /// A corrupt state is set aside under the lock, as by `crier fetch`. Nobody may be there to start the agent again.
    private func openedStore(
        _ path: String, isAfterUncleanEnd: Bool, _ logger: Logger
    ) throws(StoreError) -> Store {
        tellLoss(of: path)
        do throws(StoreError) {
            return try Store(path: path, integrityCheck: isAfterUncleanEnd ? .always : .ifLogIsLeft)
        } catch {
            guard let words = try setAside(path, after: error, for: "the agent") else { throw error }
            logger.error("\(words)")
            return try Store(path: path)
        }
    }

    /// What an agent ends with whose state turns out to be damaged while it runs: as when the file was taken away from it.
    private func afresh(_ error: StoreError, _ path: String) throws(StoreError) -> any Error {
        guard let words = try setAside(path, after: error, for: "the next agent") else { return error }
        return failure(words, ExitStatus.ioError)
    }
}

extension DiagnosticLog.Format: ExpressibleByArgument {}

extension Surroundings {
    /// In the log's own format, as those that a later look finds.
    fileprivate func tell(_ problems: [ConfigurationProblem]) {
        for problem in problems { logger.error("\(problem)") }
    }
}
