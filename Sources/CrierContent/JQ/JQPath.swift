import CJQ

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
    func run(
        on input: borrowing JQValue, _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) {
        if let literal = comparedWith {
            guard let term = alternatives.first else { return }
            _ = try run(term, on: input) { value throws(ContentError) in
                let areEqual = jv_equal(value.reference(), literal.value.reference()) != 0
                return try body(JQValue(owning: jv_bool(areEqual == isEqual ? 1 : 0)))
            }
            return
        }
        for term in alternatives.dropLast() {
            var hasOutput = false
            let goesOn = try run(term, on: input) { value throws(ContentError) in
                guard value.isTruthy else { return true }
                hasOutput = true
                return try body(value)
            }
            if hasOutput || !goesOn { return }
        }
        if let term = alternatives.last { _ = try run(term, on: input, body) }
    }

    private func run(
        _ term: Term, on input: borrowing JQValue, _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        switch term {
        case .literal(let literal): try body(literal.value)
        case .steps(let steps): try Self.walk(steps[...], from: input, body)
        }
    }

    static func walk(
        _ steps: ArraySlice<Step>, from value: borrowing JQValue,
        _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        guard let step = steps.first else { return try body(value) }
        let rest = steps.dropFirst()
        switch step {
        case .member(let name, let isOptional):
            let found = JQValue(owning: jv_get(value.reference(), JQValue(name).reference()))
            return try walk(rest, found: found, isOptional: isOptional, body)
        case .element(let index, let isOptional):
            let found = JQValue(owning: jv_get(value.reference(), jv_number(Double(index))))
            return try walk(rest, found: found, isOptional: isOptional, body)
        case .iterate(let isOptional):
            return try walk(rest, overMembersOf: value, isOptional: isOptional, body)
        }
    }

    private static func walk(
        _ rest: ArraySlice<Step>, found: borrowing JQValue, isOptional: Bool,
        _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        if found.kind == .invalid {
            if isOptional { return true }
            throw ContentError(.badExpression, "jq: " + (found.errorMessage ?? "no value"))
        }
        return try walk(rest, from: found, body)
    }

    private static func walk(
        _ rest: ArraySlice<Step>, overMembersOf value: borrowing JQValue, isOptional: Bool,
        _ body: (borrowing JQValue) throws(ContentError) -> Bool
    ) throws(ContentError) -> Bool {
        switch value.kind {
        case .array:
            for index in 0..<value.count {
                guard try walk(rest, from: value[index], body) else { return false }
            }
            return true
        case .object:
            let object = value.reference()
            defer { jv_free(object) }
            var place = jv_object_iter(object)
            while jv_object_iter_valid(object, place) != 0 {
                let member = JQValue(owning: jv_object_iter_value(object, place))
                guard try walk(rest, from: member, body) else { return false }
                place = jv_object_iter_next(object, place)
            }
            return true
        default:
            if isOptional { return true }
            throw ContentError(.badExpression, "jq: Cannot iterate over \(value.shape)")
        }
    }
}

extension JQPath.Literal {
    var value: JQValue {
        switch self {
        case .null: .null
        case .boolean(let boolean): JQValue(owning: jv_bool(boolean ? 1 : 0))
        case .number(let number): JQValue(owning: jv_number(Double(number)))
        case .string(let string): JQValue(string)
        }
    }
}
