import Foundation
import ServiceLifecycle
import UnixSignals

/// Tells the others what happens around them: SIGHUP, another configuration file, another time, another network.
struct WorldService: Service {
    let desk: AgentDesk
    /// Taken over before anybody is told that the agent is ready: until then the signal would end it.
    let hangups: UnixSignalsSequence

    private static let localTime = "/etc/localtime"

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        await desk.audience.close()
    }

    private func work() async {
        let desk = desk
        await withDiscardingTaskGroup { group in
            group.addTask { [hangups] in
                for await _ in hangups {
                    desk.manager?.send(.reloadingNow)
                    await desk.reload(isAsked: true)
                    desk.manager?.send(.ready)
                }
            }
            group.addTask {
                let path = desk.file.path
                let paths = Set([
                    URL(fileURLWithPath: path).path, URL(fileURLWithPath: path).resolvingSymlinksInPath().path,
                ])
                for await _ in WorldEvents.changes(of: Array(paths)) { await desk.reload() }
            }
            group.addTask {
                for await _ in WorldEvents.changes(of: [Self.localTime]) { await desk.timeZoneMayHaveChanged() }
            }
            group.addTask {
                for await _ in WorldEvents.clockChanges() {
                    desk.logger.info("the clock was set, or the machine has slept")
                    desk.ringAll()
                }
            }
            group.addTask {
                for await _ in WorldEvents.networkChanges() { desk.ringAll() }
            }
        }
    }
}
