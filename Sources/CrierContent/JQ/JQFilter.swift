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

    /// The items for which the program yields something, and neither false nor null.
    ///
    /// - Throws: ``ContentError`` where the program fails on an item or takes too long.
    public func keeping(_ items: [ContentItem]) throws(ContentError) -> [ContentItem] {
        guard !items.isEmpty else { return [] }
        var verdicts: [Bool?] = Array(repeating: nil, count: items.count)
        let inputs = JQValue(owning: items.reduce(jv_array()) { jv_array_append($0, JQValue($1).reference()) })
        try program.run(onEachOf: inputs, limits: JQLimits(outputs: 100)) { index, output throws(ContentError) in
            verdicts[index] = (verdicts[index] ?? true) && output.isTruthy
            return true
        }
        return zip(items, verdicts).filter { $1 == true }.map(\.0)
    }
}
