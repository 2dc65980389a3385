/// The jq programs that most mappings are, run without compiling them: paths such as `.a.b[]`, `.["k"]`, `.a[0]?`,
/// several of them joined by `|`, alternatives joined by `//`, and one compared with a literal. What they yield is
/// what libjq yields.
struct JQPath: Sendable, Hashable {
    enum Step: Sendable, Hashable {
        case member(String, isOptional: Bool)
        case element(Int, isOptional: Bool)
        case iterate(isOptional: Bool)
    }

    enum Literal: Sendable, Hashable {
        case null
        case boolean(Bool)
        case number(Int)
        case string(String)
    }

    enum Term: Sendable, Hashable {
        case steps([Step])
        case literal(Literal)
    }

    /// The alternatives of `//`, at least one.
    var alternatives: [Term]
    /// The right side of `==`, or of `!=` where ``isEqual`` is false.
    var comparedWith: Literal?
    var isEqual = true

    /// nil where the program is more than a path.
    init?(_ program: String) {
        guard
            let path = withUTF8(
                of: program,
                { bytes -> JQPath? in
                    var parser = JQPathParser(bytes)
                    return parser.path()
                })
        else { return nil }
        self = path
    }

    init(alternatives: [Term], comparedWith: Literal?, isEqual: Bool) {
        self.alternatives = alternatives
        self.comparedWith = comparedWith
        self.isEqual = isEqual
    }

    /// Yields the outputs to `body` one by one, until it gives false.
    func run(on input: JSONNode, _ body: (JSONNode) throws(ContentError) -> Bool) throws(ContentError) {
        if let literal = comparedWith {
            guard let term = alternatives.first else { return }
            _ = try run(term, on: input) { value throws(ContentError) in
                try body(.boolean(literal.isEqual(to: value) == isEqual))
            }
            return
        }
        for term in alternatives.dropLast() {
            var hasOutput = false
            _ = try run(term, on: input) { value throws(ContentError) in
                guard value.isTruthy else { return true }
                hasOutput = true
                return try body(value)
            }
            if hasOutput { return }
        }
        if let term = alternatives.last { _ = try run(term, on: input, body) }
    }

    private func run(
        _ term: Term, on input: JSONNode, _ body: (JSONNode) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        switch term {
        case .literal(let literal): try body(literal.value)
        case .steps(let steps): try Self.walk(steps[...], from: input, body)
        }
    }

    static func walk(
        _ steps: ArraySlice<Step>, from value: JSONNode, _ body: (JSONNode) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        guard let step = steps.first else { return try body(value) }
        let rest = steps.dropFirst()
        switch (step, value.kind) {
        case (.member, .null), (.element, .null): return try walk(rest, from: .null, body)
        case (.member(let name, _), .object): return try walk(rest, from: value[name].orNull, body)
        case (.element(let index, _), .array):
            return try walk(rest, from: value[index < 0 ? index + value.count : index].orNull, body)
        case (.iterate, .array): return try walk(rest, fromEachOf: value.elements, body)
        case (.iterate, .object): return try walk(rest, fromEachOf: value.members.map(\.value), body)
        default:
            if step.isOptional { return true }
            throw ContentError(.badExpression, "jq: Cannot " + step.complaint(about: value))
        }
    }

    private static func walk(
        _ rest: ArraySlice<Step>, fromEachOf values: some Sequence<JSONNode>,
        _ body: (JSONNode) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        for value in values {
            guard try walk(rest, from: value, body) else { return false }
        }
        return true
    }
}

extension JQPath.Step {
    fileprivate var isOptional: Bool {
        switch self {
        case .member(_, let isOptional), .element(_, let isOptional), .iterate(let isOptional): isOptional
        }
    }

    /// In libjq's words, but for the value itself, which may be secret.
    fileprivate func complaint(about value: JSONNode) -> String {
        switch self {
        case .member(let name, _): "index \(value.kind.rawValue) with string \"\(name)\""
        case .element: "index \(value.kind.rawValue) with number"
        case .iterate: "iterate over \(value.shape)"
        }
    }
}

extension JSONNode {
    /// What is not there is null to jq.
    fileprivate var orNull: JSONNode { kind == .absent ? .null : self }
}

extension JQPath.Literal {
    fileprivate var value: JSONNode {
        switch self {
        case .null: .null
        case .boolean(let boolean): .boolean(boolean)
        case .number(let number): JSONNode(number)
        case .string(let string): JSONNode(string)
        }
    }

    fileprivate func isEqual(to value: JSONNode) -> Bool {
        switch self {
        case .null: value.kind == .null
        case .boolean(let boolean): value.boolean == boolean
        case .number(let number): value.number == Double(number)
        case .string(let string): value.hasText(string)
        }
    }
}
