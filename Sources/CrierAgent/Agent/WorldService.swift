import CrierNotifications
import CrierProcess
import CrierStore
import Foundation
import ServiceLifecycle

/// Tells the others what happens around them: SIGHUP, another configuration file, another time, another network.
struct WorldService: Service {
    let desk: AgentDesk
    /// SIGHUP; taken over before anybody is told that the agent is ready: until then the signal would end it.
    let hangup: Bell
    let terminal: ControllingTerminal
    let events: WorldStreams

    func run() async throws {
        await cancelWhenGracefulShutdown { await work() }
        await desk.audience.close()
    }

    private func work() async {
        let desk = desk
        // The kernel tells of the same wake-up as logind, and sooner.
        let wakeIsTold = Bell()
        await withDiscardingTaskGroup { group in
            group.addTask { [hangup, terminal] in
                while await hangup.isTakenBeforeEnd() {
                    if terminal.isGone {
                        desk.logger.notice("the terminal is gone")
                        kill(getpid(), SIGTERM)
                        continue
                    }
                    desk.manager?.send(.reloadingNow)
                    await desk.reload(isAsked: true)
                    desk.manager?.send(.ready)
                }
            }
            group.addTask { [events] in await follow(events.files(desk.file.path, .content)) }
            group.addTask { [events] in
                for await _ in events.files(desk.file.path, .place) { await desk.lookForFile() }
            }
            group.addTask { [events] in
                let changes = events.files(desk.store.path, .content)
                // What was decided before that has told nobody.
                await desk.lookForDecision()
                for await _ in changes { await desk.lookAtState() }
                await desk.lookAtStateByItself()
            }
            group.addTask { [events] in
                for await _ in events.files(WorldStreams.localTime, .content) { await desk.timeZoneMayHaveChanged() }
            }
            group.addTask { [events] in
                for await change in events.clock() {
                    desk.logger.info(change == .slept ? "the machine has slept" : "the clock was set")
                    if change == .slept { wakeIsTold.ring() }
                    desk.wake(change == .slept ? .resume : .clock)
                }
            }
            group.addTask { [events] in
                for await isAboutToSleep in events.sleep() {
                    if isAboutToSleep {
                        desk.logger.info("the machine is about to sleep")
                    } else if !wakeIsTold.take() {
                        desk.wake(.resume)
                    }
                }
            }
            group.addTask { [events] in
                for await _ in events.network() { desk.wake(.network) }
            }
        }
    }

    /// - Parameter changes: Of the configuration file.
    private func follow(_ changes: AsyncStream<Void>) async {
        // It may have been edited since it was read. What was handed over can be read once.
        if !desk.file.isHandedOver { await desk.reload() }
        for await _ in changes { await desk.reload() }
        if !desk.file.isHandedOver { await desk.lookAtFileByItself() }
    }
}

/// Where the agent hears of the world; a test has its own.
struct WorldStreams: Sendable {
    static let localTime = MachineZone.localTime

    /// Something has happened to the file of this path.
    var files: @Sendable (String, WorldEvents.FileSubject) -> AsyncStream<Void>
    var clock: @Sendable () -> AsyncStream<ClockChange>
    var network: @Sendable () -> AsyncStream<Void>
    /// True when the machine is about to sleep, false when it is awake again.
    var sleep: @Sendable () -> AsyncStream<Bool>

    static func system(environment: [String: String]) -> WorldStreams {
        WorldStreams(
            files: { WorldEvents.changes(of: $0, for: $1) }, clock: WorldEvents.clockChanges,
            network: WorldEvents.networkChanges,
            sleep: { SystemBus(environment: environment).booleans(of: SystemBus.prepareForSleep) })
    }
}
