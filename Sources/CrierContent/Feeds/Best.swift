/// The value of the lowest rank that was offered; of equal ranks the first.
struct Best<Value> {
    private(set) var value: Value?
    /// Of the value.
    private(set) var rank = UInt8.max

    /// Whether an offer of that rank would be taken.
    func wants(_ rank: UInt8) -> Bool { rank < self.rank }

    mutating func offer(_ value: Value?, rank: UInt8) {
        guard let value, rank < self.rank else { return }
        self.value = value
        self.rank = rank
    }
}
