import CJQ
import Synchronization

/// The bounds of one run of a program.
struct JQLimits {
    /// The wall time of the whole run.
    var time: Duration = .seconds(2)
    /// The most values it may yield.
    var outputs = 20_000
}

/// A compiled jq program (the language of jq 1.6 or later).
///
/// A program sees its input and nothing else: no environment, no files, no other inputs, and it writes nowhere.
/// Compiling takes some 20 ms, so programs are kept and run again; users of the same program take turns.
public final class JQProgram: Sendable {
    /// libjq's state: tied to no thread, but of no use to two at once, so it is touched only while ``turn`` is held.
    private nonisolated(unsafe) let jq: OpaquePointer
    private let turn = Mutex(())

    /// Compiles a program.
    ///
    /// - Throws: ``ContentError`` of the kind `badExpression` with jq's own message and the line it names.
    public init(_ text: String) throws(ContentError) {
        guard text.utf8.contains(where: { !$0.isASCIISpace }) else {
            throw ContentError(.badExpression, "the jq program is empty")
        }
        guard !text.utf8.contains(0) else { throw ContentError(.badExpression, "a jq program holds no NUL") }
        guard !JQGuard.writesInfinity(text) else {
            throw ContentError(.badExpression, "a jq program holds no number beyond 1.8e308")
        }
        guard let jq = jq_init() else { throw ContentError(.tooLarge, "no memory for jq") }
        self.jq = jq
        // Without a callback libjq writes to the standard error.
        let messages = Messages()
        jq_set_error_cb(jq, Messages.collect, Unmanaged.passUnretained(messages).toOpaque())
        let isCompiled = jq_compile(jq, JQPrelude.text(for: text) + "\n" + text + "\n") != 0
        jq_set_error_cb(jq, Messages.discard, nil)
        guard isCompiled else { throw ContentError(.badExpression, "jq: " + JQPrelude.explain(messages.texts)) }
    }

    deinit {
        var jq: OpaquePointer? = jq
        jq_teardown(&jq)
    }

    /// Yields the program's outputs to `body` one by one, until it gives false.
    func run(
        on input: borrowing JQValue, limits: JQLimits = JQLimits(),
        _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) {
        let input = input.reference()
        try turn.withLock { _ throws(ContentError) in
            jq_start(jq, input, 0)
            let alarm = JQAlarm(jq, after: limits.time)
            defer {
                alarm.cancel()
                // Frees what the run still holds.
                jq_start(jq, jv_null(), 0)
            }
            try yieldOutputs(limits, alarm, body)
        }
    }

    private func yieldOutputs(
        _ limits: JQLimits, _ alarm: JQAlarm, _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) {
        var count = 0
        while true {
            let output = JQValue(owning: jq_next(jq))
            if alarm.hasRung { throw ContentError(.tooLarge, "the jq program takes longer than \(limits.time)") }
            if output.kind == .invalid {
                guard let message = output.errorMessage else { return }
                throw ContentError(.badExpression, "jq: " + PlainText.line(text: message, limit: 200))
            }
            count += 1
            guard count <= limits.outputs else {
                throw ContentError(.tooLarge, "the jq program yields more than \(limits.outputs) values")
            }
            guard try body(output) else { return }
        }
    }

    /// What libjq has to say.
    private final class Messages {
        var texts: [String] = []

        static let collect: jq_msg_cb = { context, message in
            let value = JQValue(owning: message)
            guard let context else { return }
            let messages = Unmanaged<Messages>.fromOpaque(context).takeUnretainedValue()
            messages.texts.append(value.string ?? "unknown error")
        }

        static let discard: jq_msg_cb = { _, message in jv_free(message) }
    }
}
