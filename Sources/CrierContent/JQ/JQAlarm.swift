import CJQ
import Dispatch
import Synchronization

/// Stops a running program when its time is over.
///
/// libjq looks at its halt flag before every instruction, and has no other way to be interrupted; the program's own
/// thread is busy in libjq, so another one has to set it. Programs cannot set it themselves (see ``JQPrelude``):
/// libjq asserts that it is set once. A single long instruction (a pattern match, say) is not interrupted.
final class JQAlarm: Sendable {
    /// Guarded by ``isArmed``; libjq's state is alive while that is true.
    private nonisolated(unsafe) let jq: OpaquePointer
    private let isArmed = Mutex(true)
    private let rang = Atomic(false)

    init(_ jq: OpaquePointer, after time: Duration) {
        self.jq = jq
        // A queue of its own has a thread even while every thread of the default pool is busy in libjq.
        let (seconds, attoseconds) = time.components
        let nanoseconds = Int(seconds) * 1_000_000_000 + Int(attoseconds / 1_000_000_000)
        DispatchQueue(label: "jq alarm").asyncAfter(deadline: .now() + .nanoseconds(nanoseconds)) { [weak self] in
            self?.ring()
        }
    }

    var hasRung: Bool { rang.load(ordering: .acquiring) }

    /// Afterwards the alarm no longer touches the program.
    func cancel() { isArmed.withLock { $0 = false } }

    private func ring() {
        isArmed.withLock { isArmed in
            guard isArmed else { return }
            isArmed = false
            rang.store(true, ordering: .releasing)
            jq_halt(jq, jv_invalid(), jv_invalid())
        }
    }
}
