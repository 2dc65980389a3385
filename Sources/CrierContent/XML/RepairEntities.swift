/// The entities that a document's type declares, for where libxml2 does not come to see them: of those within the
/// document the short ones, as text.
struct RepairEntities {
    /// Bytes of one, unfolded.
    private static let valueBound = 1024
    private static let bound = 256

    private var values: [String: [UInt8]] = [:]
    /// Bytes that all references together may still unfold to.
    private var budget: Int

    /// - Parameter length: bytes of the document.
    init(length: Int) {
        budget = length + 65_536
    }

    var isFull: Bool { values.count >= RepairEntities.bound }

    /// The first declaration counts (XML 1.0 section 4.2).
    mutating func declare(_ name: String, _ value: [UInt8]) {
        guard !name.isEmpty, value.count <= RepairEntities.valueBound, values[name] == nil else { return }
        values[name] = value
    }

    mutating func unfolded(_ name: String) -> [UInt8]? {
        guard !values.isEmpty, let value = values[name], value.count <= budget else { return nil }
        budget -= value.count
        return value
    }
}
