import CrierStore
import Foundation

/// The days of which the daily policy tells nothing more.
struct AccountedDays {
    let today: CalendarDay
    /// Nil where there is none.
    let last: CalendarDay?

    /// - Parameter day: As it is remembered.
    init(upTo day: CalendarDay?, in zone: TimeZone, _ now: Date) {
        let today = CalendarDay(now, in: zone)
        self.today = today
        // A day beyond today was accounted for by a clock that was ahead; today's own identifier keeps it from a repeat.
        last = day.map { $0 > today ? today.previous : $0 }
    }

    init(after state: SourceState, of source: Source, _ now: Date) {
        self.init(upTo: state.announcedDay.flatMap(CalendarDay.init), in: source.mapping.timeZone, now)
    }

    var includesToday: Bool { includes(today) }

    func includes(_ day: CalendarDay) -> Bool { last.map { day <= $0 } ?? false }
}
