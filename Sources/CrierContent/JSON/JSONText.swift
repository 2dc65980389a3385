import CJQ

/// Reads JSON (RFC 8259) into libjq's values.
enum JSONText {
    /// Deeper documents are refused. libjq has its own bound: 256, in which an object counts twice.
    static let deepestNesting = 200

    /// The most memory, in bytes, that a document's values may take.
    static func memoryBound(of count: Int) -> Int { 64 * 1024 * 1024 + 16 * count }

    /// A byte order mark is skipped and invalid UTF-8 becomes U+FFFD. Integers of more than 15 digits become strings:
    /// as numbers they would lose digits, and two identifiers could become one.
    static func parse(_ bytes: [UInt8]) throws(ContentError) -> JQValue {
        var survey = JSONSurvey()
        bytes.withUnsafeBufferPointer { survey.read($0) }
        guard survey.depth <= deepestNesting else {
            throw ContentError(.tooLarge, "the JSON is nested more than \(deepestNesting) deep")
        }
        guard survey.cost <= memoryBound(of: bytes.count) else {
            throw ContentError(
                .tooLarge, "the JSON has too many objects, arrays and texts for its size; ask for fewer items")
        }
        if let place = survey.foreignWord {
            let line = bytes[..<place].count { $0 == 0x0A } + 1
            throw ContentError(.malformed, "malformed JSON: a word that JSON does not have at line \(line)")
        }
        guard bytes.count < Int(Int32.max) / 2 else { throw ContentError(.tooLarge, "the JSON is too long") }
        if let string = survey.unseparated {
            return try parse(JSONSurvey.truncated(bytes, at: string)[...], skipping: survey.start)
        }
        return try parse(survey.needsRepair ? survey.repaired(bytes)[...] : bytes[...], skipping: survey.start)
    }

    private static func parse(_ bytes: ArraySlice<UInt8>, skipping start: Int) throws(ContentError) -> JQValue {
        guard let parser = jv_parser_new(0) else { throw ContentError(.tooLarge, "no memory for the JSON parser") }
        defer { jv_parser_free(parser) }
        let result = bytes.dropFirst(start).withUnsafeBytes { buffer -> Result<jv, ContentError> in
            guard let base = buffer.bindMemory(to: CChar.self).baseAddress else {
                return .failure(ContentError(.notAFeed, "the JSON is empty"))
            }
            jv_parser_set_buf(parser, base, Int32(buffer.count), 0)
            let value = JQValue(owning: jv_parser_next(parser))
            guard value.kind != .invalid else { return .failure(failure(value)) }
            let rest = JQValue(owning: jv_parser_next(parser))
            if rest.kind != .invalid { return .failure(ContentError(.malformed, "the JSON is followed by more text")) }
            return rest.errorMessage == nil ? .success(value.reference()) : .failure(failure(rest))
        }
        return JQValue(owning: try result.get())
    }

    /// libjq's own words with its line and column, such as "Expected separator between values at line 2, column 9".
    private static func failure(_ value: borrowing JQValue) -> ContentError {
        guard let message = value.errorMessage else { return ContentError(.notAFeed, "the JSON is empty") }
        if message.contains("depth limit") { return ContentError(.tooLarge, "the JSON is nested too deep") }
        return ContentError(.malformed, "malformed JSON: " + PlainText.line(text: message, limit: 200))
    }
}
