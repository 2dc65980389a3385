import CrierNotifications
import CrierProcess
import Logging

/// What comes before an agent whose configuration is not there yet, or came and cannot be used. Meanwhile the state is everybody's: other runs may use it, by
/// configurations that lie elsewhere.
public struct ConfigurationWait: Sendable {
    private let file: ConfigurationFile
    /// What the file holds that cannot be used; nil where there is none.
    private let useless: [UInt8]?
    private let signals: AgentSignals
    private let clock: any WallClock
    private let logger: Logger
    private let manager: NotifySocket?
    /// How long the manager waits for a sign of life; nil where it does not.
    private let timeout: Duration?
    /// Something has happened to the file.
    var changes: @Sendable (WorldEvents.FileSubject) -> AsyncStream<Void>

    /// - Parameter useless: What the file may hold on, and is not waited for.
    public init(
        for file: ConfigurationFile, besides useless: [UInt8]? = nil, signals: AgentSignals, surroundings: Surroundings
    ) {
        self.file = file
        self.useless = useless
        self.signals = signals
        clock = surroundings.clock
        logger = surroundings.logger
        manager = NotifySocket(environment: surroundings.environment)
        timeout = NotifySocket.watchdogTimeout(environment: surroundings.environment)
        changes = { WorldEvents.changes(of: file.path, for: $0) }
    }

    /// - Returns: Whether the file is there; false where the process was asked to end before.
    public func run() async -> Bool {
        tellLack()
        manager?.send(.ready, .status("waits for a configuration"))
        let isThere = await isFileThere()
        if isThere {
            manager?.send(.watchdog)
            logger.notice("the configuration file is there")
        } else {
            manager?.send(.stopping)
            logger.info("agent ended")
        }
        return isThere
    }

    private var hasComeToBe: Bool { !file.isMissing && (useless == nil || (try? file.read()) != useless) }

    private func tellLack() {
        if useless != nil {
            return logger.warning("the configuration cannot be used: it is read again when it changes")
        }
        logger.warning("there is no configuration yet at \(file.path): `crier add URL` makes one")
    }

    private func isFileThere() async -> Bool {
        await withTaskGroup(of: Bool?.self) { group in
            group.addTask {
                await signals.end.wait()
                return Task.isCancelled ? nil : false
            }
            group.addTask { await hearHangups() }
            group.addTask {
                for await _ in changes(.content) { if await isAtRest(for: 1) { return true } }
                return await lookByItself()
            }
            group.addTask {
                let places = changes(.place)
                // It may have come before anybody watched.
                if await isAtRest(for: 10) { return true }
                for await _ in places { if await isAtRest(for: 10) { return true } }
                return nil
            }
            if let timeout {
                group.addTask {
                    await tellLife(every: timeout / 2)
                    return nil
                }
            }
            for await verdict in group {
                guard let verdict else { continue }
                group.cancelAll()
                return verdict
            }
            return false
        }
    }

    /// Whoever asks is told of the lack again.
    private func hearHangups() async -> Bool? {
        while await signals.hangup.isTakenBeforeEnd() {
            if signals.terminal.isGone {
                logger.notice("the terminal is gone")
                return false
            }
            manager?.send(.reloadingNow)
            let isThere = hasComeToBe
            if !isThere { tellLack() }
            manager?.send(.ready)
            if isThere { return true }
        }
        return nil
    }

    private func lookByItself() async -> Bool? {
        if Task.isCancelled { return nil }
        logger.warning("\(file.deafness)")
        while (try? await clock.sleep(for: .seconds(AgentDesk.pause))) != nil {
            if await isAtRest(for: 10) { return true }
        }
        return nil
    }

    /// Whether the file has been there for so many seconds, and the same. One that is written anew is told of at its end, but may be made
    /// in several steps; one that a link puts there may be being written, of which nobody tells.
    private func isAtRest(for seconds: Int) async -> Bool {
        var (bytes, rest) = (try? file.read(), seconds)
        while !file.isMissing, rest > 0 {
            guard (try? await clock.sleep(for: .seconds(1))) != nil else { return false }
            let now = try? file.read()
            (bytes, rest) = (now, now == bytes ? rest - 1 : seconds)
        }
        return hasComeToBe
    }

    private func tellLife(every interval: Duration) async {
        while !Task.isCancelled {
            manager?.send(.watchdog)
            await QuietTimer.wait(for: interval)
        }
    }
}

extension ConfigurationFile {
    /// That nobody tells of its changes.
    var deafness: String { WorldEvents.deafness(to: path) }
}

extension WorldEvents {
    /// That nobody tells of the changes of a file.
    static func deafness(to path: String) -> String {
        let cause = "no inotify watch can be had, or its folder may not be read"
        return "no changes of \(path) are told (\(cause)): it is looked at once a minute"
    }
}
