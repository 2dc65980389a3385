/// What a message is called at one place, as it is remembered: a sink may be another chat's by the next one, or of another kind,
/// where the same name is another message's.
struct PlacedReceipt {
    private static let separator = " at "
    private let mark: String

    /// - Parameter place: It may be secret.
    init(place: String) {
        mark = Self.separator + IdentifierToken.token(of: place).prefix(16)
    }

    /// The name with its place.
    func receipt(of name: String) -> String { name + mark }

    /// The name in a receipt; nil where it is one of another place. Receipts of earlier versions have no place: they are taken
    /// for this one's.
    func name(in receipt: String) -> String? {
        if receipt.hasSuffix(mark) { return String(receipt.dropLast(mark.count)) }
        return receipt.contains(Self.separator) ? nil : receipt
    }
}
