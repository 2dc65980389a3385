/// Reads the programs that ``JQPath`` runs; nil for every other, which libjq then compiles.
struct JQPathParser {
    /// The steps of a path: following them takes some stack for each.
    static let mostSteps = 200

    private var cursor: ByteCursor

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        cursor = ByteCursor(bytes)
    }

    mutating func path() -> JQPath? {
        guard let first = piped() else { return nil }
        var terms = [first]
        cursor.skipSpaces()
        if cursor.current == 0x3D || cursor.current == 0x21 {
            let isEqual = cursor.current == 0x3D
            guard cursor.peek(1) == 0x3D, case .steps = first else { return nil }
            cursor.index += 2
            cursor.skipSpaces()
            guard let literal = literal(), isAtEnd else { return nil }
            return JQPath(alternatives: terms, comparedWith: literal, isEqual: isEqual)
        }
        while skipAlternative() {
            cursor.skipSpaces()
            // A pipe binds looser than `//`: `.a // .b | .c` is not ours.
            guard let term = literal().map(JQPath.Term.literal) ?? steps().map(JQPath.Term.steps) else { return nil }
            terms.append(term)
            cursor.skipSpaces()
        }
        guard isAtEnd else { return nil }
        if terms.count > 1, isPiped { return nil }
        return JQPath(alternatives: terms, comparedWith: nil, isEqual: true)
    }

    private var isPiped = false

    private var isAtEnd: Bool {
        mutating get {
            cursor.skipSpaces()
            return cursor.isAtEnd
        }
    }

    private mutating func skipAlternative() -> Bool {
        guard cursor.current == 0x2F, cursor.peek(1) == 0x2F, cursor.peek(2) != 0x3D else { return false }
        // `?//` is one operator.
        guard cursor.peek(-1) != 0x3F else { return false }
        cursor.index += 2
        return true
    }

    /// `.a | .b[]` is `.a.b[]`.
    private mutating func piped() -> JQPath.Term? {
        cursor.skipSpaces()
        guard var all = steps() else { return nil }
        cursor.skipSpaces()
        while cursor.current == 0x7C, cursor.peek(1) != 0x3D {
            cursor.index += 1
            cursor.skipSpaces()
            guard let more = steps() else { return nil }
            all += more
            guard all.count <= Self.mostSteps else { return nil }
            isPiped = true
            cursor.skipSpaces()
        }
        return .steps(all)
    }

    private mutating func steps() -> [JQPath.Step]? {
        guard cursor.current == 0x2E, cursor.peek(1) != 0x2E else { return nil }
        var steps: [JQPath.Step] = []
        // The identity is a point alone; `.[0]` is a point before a bracket.
        if !isName(cursor.peek(1)), cursor.peek(1) != 0x22 { cursor.index += 1 }
        while true {
            if cursor.current == 0x2E {
                guard let name = member() else { return nil }
                steps.append(.member(name, isOptional: cursor.skip(0x3F)))
            } else if cursor.current == 0x5B {
                guard let step = bracket() else { return nil }
                steps.append(step)
            } else {
                return cursor.current == 0x3F ? nil : steps
            }
            guard steps.count <= Self.mostSteps else { return nil }
        }
    }

    private func isName(_ byte: UInt8) -> Bool { byte.isASCIILetter || byte == 0x5F }

    private mutating func member() -> String? {
        cursor.index += 1
        if cursor.current == 0x22 { return string() }
        let start = cursor.index
        guard isName(cursor.current) else { return nil }
        while isName(cursor.current) || cursor.current.isASCIIDigit { cursor.index += 1 }
        // `.a::b` names a module.
        guard cursor.current != 0x3A else { return nil }
        return String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self)
    }

    /// `["k"]`, `[0]`, `[-1]`, `[]`, each with an optional `?`.
    private mutating func bracket() -> JQPath.Step? {
        cursor.index += 1
        if cursor.skip(0x5D) { return .iterate(isOptional: cursor.skip(0x3F)) }
        if cursor.current == 0x22 {
            guard let name = string(), cursor.skip(0x5D) else { return nil }
            return .member(name, isOptional: cursor.skip(0x3F))
        }
        guard let index = integer(), cursor.skip(0x5D) else { return nil }
        return .element(index, isOptional: cursor.skip(0x3F))
    }

    private mutating func integer() -> Int? {
        let isNegative = cursor.skip(0x2D)
        let count = cursor.digitCount
        guard count >= 1, count <= 9, let value = cursor.digits(count) else { return nil }
        return isNegative ? -value : value
    }

    /// A string without escapes or interpolation.
    private mutating func string() -> String? {
        cursor.index += 1
        let start = cursor.index
        while !cursor.isAtEnd, cursor.current != 0x22 {
            guard cursor.current != 0x5C, cursor.current >= 0x20 else { return nil }
            cursor.index += 1
        }
        let text = String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self)
        return cursor.skip(0x22) ? text : nil
    }

    private mutating func literal() -> JQPath.Literal? {
        switch cursor.current {
        case 0x22: return string().map { .string($0) }
        case 0x30...0x39:
            guard let number = integer(), cursor.current != 0x2E, cursor.current | 0x20 != 0x65 else { return nil }
            return .number(number)
        default:
            let start = cursor.index
            while isName(cursor.current) { cursor.index += 1 }
            switch String(decoding: cursor.bytes[start..<cursor.index], as: UTF8.self) {
            case "null": return .null
            case "true": return .boolean(true)
            case "false": return .boolean(false)
            default:
                cursor.index = start
                return nil
            }
        }
    }
}
