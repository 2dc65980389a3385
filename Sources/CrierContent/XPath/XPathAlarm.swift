import CLibXML2
import Dispatch
import Synchronization

/// Stops the evaluation of expressions when its time is over.
///
/// libxml2 counts the steps of an evaluation and stops at a limit, but one step may read the whole document, as
/// `string(/)` does. The evaluating thread is busy in libxml2, so another one lowers the limit.
final class XPathAlarm: Sendable {
    /// Guarded by ``isArmed``; the context is alive while that is true.
    private nonisolated(unsafe) let context: xmlXPathContextPtr
    private let isArmed = Mutex(true)
    private let rang = Atomic(false)

    init(_ context: xmlXPathContextPtr, after seconds: Int) {
        self.context = context
        // A queue of its own has a thread even while every thread of the default pool is busy.
        DispatchQueue(label: "xpath alarm").asyncAfter(deadline: .now() + .seconds(seconds)) { [weak self] in
            self?.ring()
        }
    }

    var hasRung: Bool { rang.load(ordering: .acquiring) }

    /// Afterwards the alarm no longer touches the context.
    func cancel() { isArmed.withLock { $0 = false } }

    private func ring() {
        isArmed.withLock { isArmed in
            guard isArmed else { return }
            isArmed = false
            rang.store(true, ordering: .releasing)
            crier_xpath_halt(context)
        }
    }
}
