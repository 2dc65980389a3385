import CLibXML2
import Dispatch
import Synchronization

/// Stops the evaluation of expressions when the time for all of them is over; what happens between them does not count.
///
/// libxml2 counts the steps of an evaluation and stops at a limit, but one step may read the whole document, as
/// `string(/)` does. The evaluating thread is busy in libxml2, so another one lowers the limit.
final class XPathAlarm: Sendable {
    /// Guarded by ``isArmed``; the context is alive while that is true.
    private nonisolated(unsafe) let context: xmlXPathContextPtr
    private let isArmed = Mutex(true)
    private let rang = Atomic(false)
    /// All in nanoseconds.
    private let limit: UInt64
    private let spent = Atomic<UInt64>(0)
    /// When the evaluation under way began; 0 where none is.
    private let began = Atomic<UInt64>(0)
    /// A queue of its own has a thread even while every thread of the default pool is busy.
    private let queue = DispatchQueue(label: "xpath alarm")

    init(_ context: xmlXPathContextPtr, after seconds: Int) {
        self.context = context
        limit = UInt64(seconds) * 1_000_000_000
        look(after: limit)
    }

    var hasRung: Bool { rang.load(ordering: .acquiring) }

    func evaluationBegins() { began.store(DispatchTime.now().uptimeNanoseconds, ordering: .releasing) }

    func evaluationEnds() {
        let start = began.exchange(0, ordering: .acquiringAndReleasing)
        let total = spent.wrappingAdd(Self.elapsed(since: start), ordering: .acquiringAndReleasing).newValue
        if total >= limit { rang.store(true, ordering: .releasing) }
    }

    /// Afterwards the alarm no longer touches the context.
    func cancel() { isArmed.withLock { $0 = false } }

    private static func elapsed(since start: UInt64) -> UInt64 {
        let now = DispatchTime.now().uptimeNanoseconds
        return start == 0 || start > now ? 0 : now - start
    }

    private func look(after nanoseconds: UInt64) {
        queue.asyncAfter(deadline: .now() + .nanoseconds(Int(nanoseconds))) { [weak self] in self?.look() }
    }

    private func look() {
        let used = spent.load(ordering: .acquiring) + Self.elapsed(since: began.load(ordering: .acquiring))
        isArmed.withLock { isArmed in
            guard isArmed else { return }
            // Not more often than every 20 ms.
            if used < limit { return look(after: max(limit - used, 20_000_000)) }
            isArmed = false
            rang.store(true, ordering: .releasing)
            crier_xpath_halt(context)
        }
    }
}
