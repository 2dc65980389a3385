import CrierNotifications
import CrierStore
import ServiceLifecycle

/// Tells the service manager how the agent is: that it is alive, where it wants to know, what it does, and that it is about to
/// end.
struct ManagerService: Service {
    let desk: AgentDesk
    let manager: NotifySocket
    /// How long the manager waits for a sign of life; nil where it does not.
    let timeout: Duration?

    func run() async throws {
        await cancelWhenGracefulShutdown {
            await withDiscardingTaskGroup { group in
                group.addTask { await tellStatus() }
                if let timeout { group.addTask { await tellLife(every: timeout / 2) } }
            }
        }
        manager.send(.stopping)
    }

    private func tellLife(every interval: Duration) async {
        while !Task.isCancelled {
            // A sign of the desk's life, through which everything goes, and not only of this task's.
            await desk.signOfLife()
            manager.send(.watchdog)
            await QuietTimer.wait(for: interval)
        }
    }

    /// Each line that says something else than the one before.
    private func tellStatus() async {
        var told: String?
        while !Task.isCancelled {
            if let line = try? await desk.statusLine(), line != told {
                manager.send(.status(line))
                told = line
            }
            await desk.statusBell.wait()
            _ = desk.statusBell.take()
        }
    }
}
