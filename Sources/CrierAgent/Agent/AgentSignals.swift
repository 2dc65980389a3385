import CrierNotifications
import CrierProcess
import UnixSignals

/// SIGTERM, SIGINT and SIGHUP of a process that stays: they ring bells once this is made, and do what they did no more.
public final class AgentSignals: Sendable {
    /// SIGTERM or SIGINT, as far as they are not ignored; nobody takes it.
    let end = Bell()
    let hangup = Bell()
    let terminal = ControllingTerminal()
    private let hearing: [Task<Void, Never>]

    public convenience init() async {
        let endings: [UnixSignal] = [.sigterm, .sigint]
        await self.init(endings: endings.filter { !IgnoredSignals.contain($0.rawValue) }, hangups: [.sighup])
    }

    /// A test takes none over.
    init(endings: [UnixSignal], hangups: [UnixSignal]) async {
        let endings = await UnixSignalsSequence(trapping: endings)
        let hangups = await UnixSignalsSequence(trapping: hangups)
        hearing = [(endings, end), (hangups, hangup)].map { signals, bell in
            Task(executorPreference: QuietLane.shared) { for await _ in signals { bell.ring() } }
        }
    }

    deinit { for task in hearing { task.cancel() } }
}
