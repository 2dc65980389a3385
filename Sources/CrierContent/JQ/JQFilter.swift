import CJQ

/// A jq program that says of an item whether it is wanted (`only` of a source).
///
/// The program sees an ``ItemDocument``.
public struct JQFilter: Sendable {
    private let program: JQProgram

    /// - Throws: ``ContentError`` of the kind `badExpression` where the program does not compile.
    public init(_ text: String, programs: JQPrograms = JQPrograms()) throws(ContentError) {
        program = try programs.program(text)
    }

    /// Whether the program yields something, and neither false nor null.
    ///
    /// - Throws: ``ContentError`` where the program fails on the item or takes too long.
    public func keeps(_ item: ContentItem) throws(ContentError) -> Bool {
        var hasOutput = false
        var isTruthy = true
        try program.run(on: JQValue(item), limits: JQLimits(outputs: 100)) { output throws(ContentError) in
            hasOutput = true
            isTruthy = isTruthy && output.isTruthy
            return isTruthy
        }
        return hasOutput && isTruthy
    }
}
