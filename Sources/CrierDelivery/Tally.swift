import CrierStore

/// What several deliveries side by side came to.
actor Tally {
    private(set) var result: Result<DeliveryReport, StoreError> = .success(DeliveryReport())

    /// Whether something waits for authorization, or until it is no longer quiet.
    var waitsForUser: Bool {
        guard case .success(let report) = result else { return false }
        return report.held + report.quieted > 0
    }

    func add(_ work: @Sendable () async throws(StoreError) -> DeliveryReport) async {
        do throws(StoreError) {
            let report = try await work()
            guard case .success(var total) = result else { return }
            total.add(report)
            result = .success(total)
        } catch {
            if case .success = result { result = .failure(error) }
        }
    }
}
