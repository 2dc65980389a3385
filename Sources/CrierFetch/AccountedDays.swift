import CrierStore
import Foundation

/// The days of which the daily policy tells nothing more, but for what comes late of one that had nothing.
struct AccountedDays {
    let today: CalendarDay
    /// Nil where there is none.
    let last: CalendarDay?
    /// Whether it is believed.
    let isCertain: Bool
    /// Those that were told before they had begun here, from that on which it was: the zone was one further east. What they
    /// bring here would otherwise be told never, as they may not be told twice.
    private var early: ClosedRange<CalendarDay>?

    /// - Parameters:
    ///   - day: As it is remembered.
    ///   - date: When it was accounted for; nil: nobody knows.
    init(upTo day: CalendarDay?, on date: Date?, in zone: TimeZone, _ now: Date) {
        let today = CalendarDay(now, in: zone)
        self.today = today
        guard let day, let date, date <= now else {
            isCertain = false
            // A day beyond today was accounted for by a clock that was ahead; today's own identifier keeps it from a repeat.
            last = day.map { $0 > today ? today.previous : $0 }
            return
        }
        last = day
        isCertain = day <= today
        let begun = CalendarDay(date, in: zone)
        if begun < day { early = begun...day }
    }

    init(after state: SourceState, of source: Source, _ now: Date) {
        self.init(
            upTo: state.announcedDay.flatMap(CalendarDay.init), on: state.announcedOn, in: source.mapping.timeZone, now)
    }

    var includesToday: Bool { includes(today) }

    func includes(_ day: CalendarDay) -> Bool { last.map { day <= $0 } ?? false }

    /// The day with which a new item of a day is told.
    func day(ofNew day: CalendarDay) -> CalendarDay {
        guard let early, early.contains(day) else { return day }
        return max(today, early.upperBound.next)
    }
}

extension SourceState {
    /// The day that is accounted for and when it was, where it is this one from now on.
    func announced(_ day: CalendarDay?, at now: Date) -> (day: String?, on: Date?) {
        let day = day?.description
        return (day, day == announcedDay ? announcedOn : day.map { _ in now })
    }
}
