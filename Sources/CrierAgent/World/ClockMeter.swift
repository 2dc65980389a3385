import Foundation
import Synchronization

/// What may have happened to the clock.
enum ClockChange: Sendable, Hashable {
    case set
    /// The machine has slept, and the clock has gone on meanwhile.
    case slept
}

/// Tells a sleep of the machine from a clock that was set, and both from one that is kept right by small steps: of those nothing
/// becomes due, and there may be many in a second.
final class ClockMeter: Sendable {
    /// What the clocks say, in seconds.
    struct Reading: Sendable {
        /// For how long the machine has slept since it was started.
        var asleep: TimeInterval
        /// How far the wall clock is ahead of one that nobody sets.
        var ahead: TimeInterval
    }

    /// Less is nothing: clocks are read one after the other.
    private static let least = 0.5

    private let read: @Sendable () -> Reading
    /// When something had happened last.
    private let last: Mutex<Reading>

    init(read: @escaping @Sendable () -> Reading = ClockMeter.system) {
        self.read = read
        last = Mutex(read())
    }

    /// What has happened since the last time that something had; nil: nothing, by now.
    func change() -> ClockChange? {
        let now = read()
        return last.withLock { last in
            let change: ClockChange? =
                now.asleep - last.asleep > Self.least
                ? .slept : abs(now.ahead - last.ahead) > Self.least ? .set : nil
            if change != nil { last = now }
            return change
        }
    }

    /// One clock counts the time asleep and the other does not (clock_gettime(2)).
    @Sendable private static func system() -> Reading {
        #if os(Linux)
            let sinceStart = seconds(CLOCK_BOOTTIME)
            return Reading(
                asleep: sinceStart - seconds(CLOCK_MONOTONIC), ahead: seconds(CLOCK_REALTIME) - sinceStart)
        #else
            return Reading(asleep: 0, ahead: 0)
        #endif
    }

    #if os(Linux)
        private static func seconds(_ clock: Int32) -> TimeInterval {
            var time = timespec()
            clock_gettime(clock, &time)
            return Double(time.tv_sec) + Double(time.tv_nsec) / 1e9
        }
    #endif
}
