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

    /// Of each item whether the program yields something, and neither false nor null.
    ///
    /// - Throws: ``ContentError`` where the program fails on an item or takes too long.
    public func verdicts(on items: [ContentItem]) throws(ContentError) -> [Bool] {
        guard !items.isEmpty else { return [] }
        var verdicts: [Bool?] = Array(repeating: nil, count: items.count)
        let inputs = JQValue(owning: items.reduce(jv_array()) { jv_array_append($0, JQValue($1).reference()) })
        try program.run(onEachOf: inputs, limits: JQLimits(outputs: 100)) { index, output throws(ContentError) in
            verdicts[index] = (verdicts[index] ?? true) && output.isTruthy
            return true
        }
        return verdicts.map { $0 == true }
    }

    /// The items for which the verdict is that.
    public func items(_ items: [ContentItem], areKept: Bool = true) throws(ContentError) -> [ContentItem] {
        zip(items, try verdicts(on: items)).filter { $1 == areKept }.map(\.0)
    }
}
