/// Times of day: `07:30`, `24:00`.
enum ClockTime {
    /// Minutes since midnight, 0…1440.
    static func minutes(_ text: String) -> Int? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count == 2, (1...2).contains(parts[0].count), parts[1].count == 2,
            parts.allSatisfy({ $0.allSatisfy { $0.isASCII && $0.isNumber } }), let hour = Int(parts[0]),
            let minute = Int(parts[1]), minute < 60, hour * 60 + minute <= 1440
        else { return nil }
        return hour * 60 + minute
    }
}
