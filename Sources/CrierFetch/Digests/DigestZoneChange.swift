import CrierStore
import Foundation

/// By default a digest's zone is the machine's, which travels.
extension Digest {
    var schedule: DigestSchedule { DigestSchedule(expression: at.text, timeZone: timeZone.identifier) }

    /// What is accounted for in its zone of now, where a slot was in another one.
    ///
    /// Further west the clocks show the time of that slot once more, and further east they may have passed over the next one.
    /// Neither is issued twice, nor left out, where what counts is the time that the clocks showed. But for a digest of every
    /// hour it is the moment, or it would rest for as many hours as the zones lie apart. So it is whichever of both has the
    /// next slot come nearer to when it would have come.
    func accounted(_ slot: Date, in former: TimeZone) -> Date {
        let day = CalendarDay(slot, in: former)
        let midnight = Double(day.number) * 86_400
        let seconds = slot.timeIntervalSince1970 + Double(former.secondsFromGMT(for: slot)) - midnight
        let shown = day.moment(Int(seconds), in: timeZone)
        guard let expected = at.next(after: slot, in: former), let byMoment = at.next(after: slot, in: timeZone),
            let byTime = at.next(after: shown, in: timeZone)
        else { return slot }
        let isNearer = abs(byMoment.timeIntervalSince(expected)) < abs(byTime.timeIntervalSince(expected))
        return isNearer ? slot : shown
    }
}
