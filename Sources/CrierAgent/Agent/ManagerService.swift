import ServiceLifecycle

/// Tells the service manager that the agent is alive, where it wants to know, and that it is about to end.
struct ManagerService: Service {
    let desk: AgentDesk
    let manager: NotifySocket
    /// How long the manager waits for a sign of life; nil where it does not.
    let timeout: Duration?

    func run() async throws {
        try? await cancelWhenGracefulShutdown {
            guard let timeout else { return try await gracefulShutdown() }
            while !Task.isCancelled {
                // A sign of the desk's life, through which everything goes, and not only of this task's.
                await desk.signOfLife()
                manager.send(.watchdog)
                try await Task.sleep(for: timeout / 2)
            }
        }
        manager.send(.stopping)
    }
}
