import Foundation

extension CalendarDay {
    /// Of the proleptic Gregorian calendar; a month or day beyond its range counts on into the next.
    init(year: Int, month: Int, day: Int) {
        // Years begin in March, so that the day of a leap year is their last.
        let shifted = month <= 2 ? year - 1 : year
        let era = (shifted >= 0 ? shifted : shifted - 399) / 400
        let yearOfEra = shifted - era * 400
        let dayOfYear = (153 * (month + (month > 2 ? -3 : 9)) + 2) / 5 + day - 1
        self.init(number: era * 146_097 + yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear - 719_468)
    }

    var components: (year: Int, month: Int, day: Int) {
        let shifted = number + 719_468
        let era = (shifted >= 0 ? shifted : shifted - 146_096) / 146_097
        let dayOfEra = shifted - era * 146_097
        let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
        let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
        let shiftedMonth = (5 * dayOfYear + 2) / 153
        let month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
        return (era * 400 + yearOfEra + (month <= 2 ? 1 : 0), month, dayOfYear - (153 * shiftedMonth + 2) / 5 + 1)
    }

    /// Monday is 0.
    var weekday: Int { ((number + 3) % 7 + 7) % 7 }

    var next: CalendarDay { CalendarDay(number: number + 1) }

    var lastOfMonth: CalendarDay {
        let (year, month, _) = components
        return CalendarDay(year: month == 12 ? year + 1 : year, month: month % 12 + 1, day: 1).previous
    }

    /// The moment at which a zone's clocks show a time of this day.
    ///
    /// Where they show it twice it is the first; where they leave it out, the moment at which they are moved on.
    ///
    /// - Parameter seconds: Since midnight, as clocks count them.
    func moment(_ seconds: Int, in zone: TimeZone) -> Date {
        let local = Double(number) * 86_400 + Double(seconds)
        let offset = { (moment: Double) in Double(zone.secondsFromGMT(for: Date(timeIntervalSince1970: moment))) }
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
