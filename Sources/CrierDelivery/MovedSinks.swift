import CrierStore

/// Sinks that are gone and lead elsewhere since: what waits for them is due again.
extension UserNotificationCenter {
    /// Of the sinks that are new with the configuration, makes due what waited for lack of them. Returns those that are gone and for which
    /// something waits: they may have moved.
    func moved() throws(StoreError) -> [GoneSink] {
        let names = newNames
        if names.isEmpty { return [] }
        try store.endAbsence(of: names, at: clock.now)
        let gone = try store.goneSinks().filter { names.contains($0.name) }
        let waiting = gone.isEmpty ? [:] : try store.waitingDeliveryCounts()
        // A program may have to be asked where one leads, which is not done for nothing.
        newNames = gone.map(\.name).filter { waiting[$0] == nil }
        return gone.filter { waiting[$0.name] != nil }
    }

    /// A program that is asked where a sink leads keeps no other waiting.
    ///
    /// - Parameter gone: Those that may lead elsewhere.
    func attemptDue(
        in pass: Int, beside gone: [GoneSink], telling tell: DeliveryRounds.Report?
    ) async throws(StoreError) -> DeliveryReport {
        async let revived = revive(gone)
        let attempt: Result<DeliveryReport, StoreError>
        do throws(StoreError) { attempt = .success(try await attemptDue(in: pass, telling: tell)) } catch {
            attempt = .failure(error)
        }
        let isAnyRevived = try await revived.get()
        var report = try attempt.get()
        if isAnyRevived { report.add(try await attemptDue(in: pass, telling: tell)) }
        return report
    }

    /// Lets deliveries go to those that lead elsewhere now. Whether there are any; where that fails, they are looked at again.
    private func revive(_ gone: [GoneSink]) async -> Result<Bool, StoreError> {
        let sinks = sinks
        let places = await withTaskGroup(of: (GoneSink, String?).self) { group in
            for sink in gone { group.addTask { (sink, await sinks[sink.name]?.shortDestination) } }
            return await group.reduce(into: []) { $0.append($1) }
        }
        var isAny = false
        do throws(StoreError) {
            for case (let sink, let destination?) in places where destination != sink.destination {
                if sink.destination == nil {
                    try store.note(destination, of: sink.name)
                } else {
                    try store.revive(sink.name, at: clock.now)
                    isAny = true
                }
            }
            return .success(isAny)
        } catch {
            newNames += gone.map(\.name)
            return .failure(error)
        }
    }
}
