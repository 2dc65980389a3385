import Foundation
import Synchronization

/// What may have happened to the clock.
enum ClockChange: Sendable, Hashable {
    case set
    /// The machine has slept, and the clock has gone on meanwhile.
    case slept
}

/// Tells a sleep of the machine from a clock that was set.
final class SleepMeter: Sendable {
    /// Shorter ones are none: the two clocks are read one after the other.
    private static let least = 0.5

    private let asleep: @Sendable () -> TimeInterval
    private let last: Mutex<TimeInterval>

    /// - Parameter asleep: For how many seconds the machine has slept since it was started.
    init(asleep: @escaping @Sendable () -> TimeInterval = SleepMeter.system) {
        self.asleep = asleep
        last = Mutex(asleep())
    }

    /// What has happened since the last time.
    func change() -> ClockChange {
        let now = asleep()
        return last.withLock { last in
            defer { last = now }
            return now - last > Self.least ? .slept : .set
        }
    }

    /// One clock counts the time asleep and the other does not (clock_gettime(2)).
    @Sendable private static func system() -> TimeInterval {
        #if os(Linux)
            return seconds(CLOCK_BOOTTIME) - seconds(CLOCK_MONOTONIC)
        #else
            return 0
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
