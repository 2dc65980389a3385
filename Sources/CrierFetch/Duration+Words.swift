import Foundation

extension Duration {
    var timeInterval: TimeInterval { self / .seconds(1) }

    /// Such as `0.5 s`, `15 min`, `1 h 30 min`, `2 d`; less than none is `0 s`.
    package var words: String {
        let seconds = (timeInterval * 1000).rounded() / 1000
        if seconds > 0, seconds < 10, seconds != seconds.rounded() { return "\(seconds) s" }
        var (rest, words, count) = (Int(min(max(0, timeInterval.rounded()), 1e18)), "", 0)
        for (unit, name) in Self.units {
            let number = rest / unit
            guard number > 0, count < 2 else { continue }
            words += "\(count == 0 ? "" : " ")\(number) \(name)"
            rest -= number * unit
            count += 1
        }
        return count == 0 ? "0 s" : words
    }

    /// In seconds.
    private static let units = [(86_400, "d"), (3600, "h"), (60, "min"), (1, "s")]
}
