import Foundation

extension TimeZone {
    /// The moment at which the zone's clocks show a time.
    ///
    /// Where they show it twice it is the first; where they leave it out, the moment at which they are moved on.
    ///
    /// - Parameter local: Seconds since the beginning of 1970, as clocks count them.
    package func moment(showing local: Double) -> Date {
        let offset = { (moment: Double) in Double(secondsFromGMT(for: Date(timeIntervalSince1970: moment))) }
        // No zone is further than a day from UTC, so these are what held before and what will hold after.
        let offsets = (before: offset(local - 86_400), after: offset(local + 86_400))
        let candidates = [local - offsets.before, local - offsets.after].sorted()
        if let shown = candidates.first(where: { local - offset($0) == $0 }) {
            return Date(timeIntervalSince1970: shown)
        }
        // Left out: the clocks are moved between the two.
        var (early, late) = (candidates[0], candidates[1])
        while late - early > 1 {
            let middle = ((early + late) / 2).rounded(.down)
            if offset(middle) == offset(early) { early = middle } else { late = middle }
        }
        return Date(timeIntervalSince1970: late)
    }
}
