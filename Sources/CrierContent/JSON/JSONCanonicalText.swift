extension JSONNode {
    /// The same JSON for equal values, whatever the order of members and the way in which numbers are written. An integer
    /// that is too long for a number is a text, as to libjq.
    var canonicalText: String {
        switch kind {
        case .null, .absent: "null"
        case .boolean: isTruthy ? "true" : "false"
        case .number: text ?? "null"
        case .string: Self.quoted(string ?? "")
        case .array: "[" + elements.map(\.canonicalText).joined(separator: ",") + "]"
        case .object:
            "{"
                + members.sorted { $0.name.utf8.lexicographicallyPrecedes($1.name.utf8) }
                .map { Self.quoted($0.name) + ":" + $0.value.canonicalText }.joined(separator: ",") + "}"
        }
    }

    private static func quoted(_ text: String) -> String {
        var bytes: [UInt8] = []
        JSONEscapes.append(text, to: &bytes)
        return String(utf8: bytes)
    }
}
