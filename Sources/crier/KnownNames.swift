import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore

/// Names by which the past is looked at: of what has left the configuration, too, but a slip is told instead of an empty list.
extension CommandFiles {
    func checkIsKnown(source name: String?, in store: Store?) throws {
        guard let name, let configuration = readableConfiguration else { return }
        do { try configuration.checkKnows(source: name) } catch {
            let isRemembered = try storeErrors {
                try store?.states()[name] != nil
                    || store?.deliveries(in: Set(Delivery.State.allCases), source: name, limit: 1).isEmpty == false
            }
            if !isRemembered { throw failure(error.description, ExitStatus.usage) }
        }
    }

    func checkIsKnown(sink name: String?, in store: Store?) throws {
        guard let name, let configuration = readableConfiguration else { return }
        do { _ = try configuration.sink(named: name) } catch {
            let isRemembered = try storeErrors {
                try store?.deliveries(in: Set(Delivery.State.allCases), sink: name, limit: 1).isEmpty == false
            }
            if !isRemembered { throw failure(error.description, ExitStatus.usage) }
        }
    }
}
