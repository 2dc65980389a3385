import CJQ

/// A compiled jq program (the language of jq 1.6 or later).
///
/// A program sees its input and nothing else: no environment, no files, no other inputs, and it writes nowhere.
/// Compiling takes some 20 ms, so programs are kept and run again, each time in a child process.
public final class JQProgram: Sendable {
    /// libjq's state: only children change it, in their own copy.
    private nonisolated(unsafe) let jq: OpaquePointer

    /// Compiles a program.
    ///
    /// - Throws: ``ContentError``: `unavailable` without libjq, else `badExpression` with jq's own message and the place it
    ///   means; of names that are not defined with all of them.
    public init(_ text: String) throws(ContentError) {
        guard text.utf8.contains(where: { !$0.isASCIISpace }) else {
            throw ContentError(.badExpression, "the jq program is empty")
        }
        guard !text.utf8.contains(0) else { throw ContentError(.badExpression, "a jq program holds no NUL") }
        guard !JQNumbers.holdInfinity(text) else {
            throw ContentError(.badExpression, "a jq program holds no number beyond 1.8e308")
        }
        let (jq, complaints) = try Self.compile(text)
        guard let jq else {
            let message = complaints.first ?? ""
            // Behind another mistake come such as are none when that is mended.
            let unknown = complaints.filter { $0.contains(" is not defined") }
            var sentences: [String] = []
            for message in unknown.isEmpty ? [message] : unknown {
                let place = JQPlace.find(message, in: text) { Self.complaint($0) }
                let sentence = JQPrelude.explain(message, place: place)
                if !sentences.contains(sentence) { sentences.append(sentence) }
            }
            let name = message.contains("INVALID_CHARACTER") ? JQPlace.unquotedName(in: text) : nil
            throw ContentError(
                .badExpression,
                "jq: " + sentences.joined(separator: "; ")
                    + (name.map { "; a name of other letters than ASCII's stands in quotes: .[\"\($0)\"]" } ?? ""))
        }
        self.jq = jq
    }

    /// libjq's state with the program in it, or why there is none.
    private static func compile(_ text: String) throws(ContentError) -> (jq: OpaquePointer?, complaints: [String]) {
        guard let jq = jq_init() else {
            throw ContentError(.unavailable, "libjq cannot be loaded, or there is no memory for it")
        }
        // Without a callback libjq writes to the standard error.
        let messages = Messages()
        jq_set_error_cb(jq, Messages.collect, Unmanaged.passUnretained(messages).toOpaque())
        let isCompiled = jq_compile(jq, JQPrelude.text + "\n" + text + "\n") != 0
        jq_set_error_cb(jq, Messages.discard, nil)
        if isCompiled { return (jq, []) }
        var failed: OpaquePointer? = jq
        jq_teardown(&failed)
        return (nil, messages.texts)
    }

    /// nil where a text compiles.
    private static func complaint(_ text: String) -> String? {
        guard let (program, complaints) = try? compile(text) else { return nil }
        var jq = program
        guard jq != nil else { return complaints.first ?? "" }
        jq_teardown(&jq)
        return nil
    }

    deinit {
        var jq: OpaquePointer? = jq
        jq_teardown(&jq)
    }

    /// Yields the program's outputs on one input to `body` one by one, until it gives false.
    ///
    /// - Throws: ``ContentError`` of `body` or of the run: `badExpression`, `tooLarge`.
    func run(
        on input: JSONNode, limits: JQLimits = JQLimits(),
        _ body: (JSONNode) throws(ContentError) -> Bool
    ) throws(ContentError) {
        let inputs = JQValue(owning: jv_array_append(jv_array(), try JQValue(input).reference()))
        try run(onEachOf: inputs, limits: limits) { _, output throws(ContentError) in try body(output) }
    }

    /// Yields the outputs on each input of an array, with the input's index, until `body` gives false.
    func run(
        onEachOf inputs: consuming JQValue, limits: JQLimits = JQLimits(),
        _ body: (Int, JSONNode) throws(ContentError) -> Bool
    ) throws(ContentError) {
        var run = try JQRun.start(jq, on: inputs, limits: limits)
        var index = 0
        while true {
            switch try run.next() {
            case .value(let output): guard try body(index, output) else { return }
            case .next: index += 1
            case .done: return
            }
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
