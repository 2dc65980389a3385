import CrierStore

/// What several deliveries side by side came to.
actor Tally {
    private(set) var result: Result<DeliveryReport, StoreError> = .success(DeliveryReport())

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
