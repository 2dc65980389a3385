import CrierStore

import struct Foundation.Date

/// Most tests are about one delivery.
extension Store {
    func begin(_ delivery: Delivery) throws -> Delivery? { try begin([delivery]).first }

    @discardableResult
    func finish(
        _ delivery: Delivery, with change: DeliveryChange, at date: Date, beginning next: Delivery? = nil,
        _ durability: Durability = .powerCut
    ) throws -> Delivery? {
        try finish([(delivery, change)], at: date, beginning: next.map { [$0] } ?? [], durability).first
    }
}
