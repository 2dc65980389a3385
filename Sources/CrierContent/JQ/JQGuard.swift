/// Definitions that keep a program from what libjq 1.6 does not survive: a slice from a number that is none (an
/// assertion), the remainder of the least integer and -1 (a trap of the processor), an element or a text so far out that
/// no memory serves (an abort), the search for an empty text (an endless instruction).
///
/// Only what a program mentions is defined anew before it, so that every other one compiles as fast as ever.
enum JQGuard {
    /// The definitions that a program needs.
    static func definitions(for program: String) -> [String] {
        let words = words(of: program)
        var definitions: [String] = []
        for (mark, texts) in operators where program.contains(mark) { definitions += texts }
        for (names, texts) in functions where !words.isDisjoint(with: names) { definitions += texts }
        for name in mathematics.sorted() where words.contains(name) {
            definitions += ["def _libjq_\(name): \(name);", "def \(name): _libjq_\(name) | _safe_number;"]
        }
        for name in mathematicsOfTwo.sorted() where words.contains(name) {
            definitions += ["def _libjq_\(name)(a; b): \(name)(a; b);"]
            definitions += ["def \(name)(a; b): _libjq_\(name)(a; b) | _safe_number;"]
        }
        return definitions.isEmpty ? [] : safety + definitions
    }

    private static let safety = [
        "def _safe_number: if type == \"number\" and isnan then error(\"the result is not a number\") else . end;",
        "def _safe_index: if type == \"number\" and . > 1000000 then error(\"the index is too large\") else . end;",
        "def _safe_length: if . > 10000000 then error(\"the text is too long\") else . end;",
    ]

    private static let operators: [(String, [String])] = [
        ("-", ["def _libjq_minus(a; b): _minus(a; b);", "def _minus(a; b): _libjq_minus(a; b) | _safe_number;"]),
        ("/", ["def _libjq_divide(a; b): _divide(a; b);", "def _divide(a; b): _libjq_divide(a; b) | _safe_number;"]),
        (
            "+",
            [
                "def _libjq_plus(a; b): _plus(a; b);",
                "def _plus(a; b): b as $b | a as $a | (if ($a | type) == \"string\" and ($b | type) == \"string\"",
                "then (_libjq_plus($a | utf8bytelength; $b | utf8bytelength) | _safe_length) else 0 end) as $_",
                "| _libjq_plus($a; $b) | _safe_number;",
            ]
        ),
        (
            "*",
            [
                "def _libjq_multiply(a; b): _multiply(a; b);",
                "def _multiply(a; b): b as $b | a as $a | (if ($a | type) == \"string\" and ($b | type) == \"number\"",
                "then (_libjq_multiply($a | utf8bytelength; $b) | _safe_length) else 0 end) as $_",
                "| _libjq_multiply($a; $b) | _safe_number;",
            ]
        ),
        (
            "%",
            [
                "def _libjq_mod(a; b): _mod(a; b);",
                "def _mod(a; b): b as $b | a as $a | if ($a | type) == \"number\" and ($b | type) == \"number\"",
                "and $b <= -1 and $b > -2 then 0 else _libjq_mod($a; $b) end;",
            ]
        ),
        (
            "=",
            setPath + [
                "def _assign(paths; value): value as $v | reduce path(paths) as $p (.; setpath($p; $v));",
                "def _modify(paths; update): reduce path(paths) as $p (.; label $out",
                "| (setpath($p; getpath($p) | update) | ., break $out), delpaths([$p]));",
            ]
        ),
    ]

    private static let setPath = [
        "def _libjq_setpath(p; v): setpath(p; v);",
        "def setpath(p; v): p as $p | v as $v | (if ($p | type) == \"array\" then ($p | map(_safe_index)) else 0 end)",
        "as $_ | _libjq_setpath($p; $v);",
    ]

    private static let functions: [(Set<String>, [String])] = [
        (["nan"], ["def nan: error(\"nan is not available\");"]),
        (["add"], ["def _libjq_add: add;", "def add: _libjq_add | _safe_number;"]),
        (["tonumber"], ["def _libjq_tonumber: tonumber;", "def tonumber: _libjq_tonumber | _safe_number;"]),
        (
            ["fromjson"],
            [
                "def _libjq_fromjson: fromjson;",
                "def fromjson: _libjq_fromjson | ([.. | _safe_number] | 0) as $_ | .;",
            ]
        ),
        (["setpath"], setPath),
        (
            ["fromstream"],
            [
                "def _libjq_fromstream(f): fromstream(f);",
                "def fromstream(f): _libjq_fromstream(f | (([.[0]] | flatten | map(_safe_index)) | 0) as $_ | .);",
            ]
        ),
        (["indices"], search("indices")), (["index"], search("index")), (["rindex"], search("rindex")),
        (["_strindices"], search("_strindices")),
    ]

    private static func search(_ name: String) -> [String] {
        [
            "def _libjq_\(name)(i): \(name)(i);",
            "def \(name)(i): i as $i | if $i == \"\" then null else _libjq_\(name)($i) end;",
        ]
    }

    private static let mathematics: Set = [
        "acos", "acosh", "asin", "asinh", "atan", "atanh", "cos", "cosh", "exp", "exp10", "exp2", "expm1", "gamma",
        "j0",
        "j1", "lgamma", "log", "log10", "log1p", "log2", "logb", "pow10", "significand", "sin", "sinh", "sqrt", "tan",
        "tanh", "tgamma", "y0", "y1",
    ]
    private static let mathematicsOfTwo: Set = ["atan2", "drem", "fdim", "fmod", "hypot", "pow", "scalb"]

    private static func words(of program: String) -> Set<String> {
        let words = program.utf8.split { !$0.isASCIILetter && !$0.isASCIIDigit && $0 != 0x5F }
        return Set(words.map { String($0) ?? "" })
    }

    /// Whether a number is written that no double holds: the difference of two such is not a number, and libjq computes
    /// it while it compiles.
    static func writesInfinity(_ program: String) -> Bool {
        var opened: [Int] = []
        var depth = 0
        var isText = false
        return withUTF8(of: program) { bytes in
            var cursor = ByteCursor(bytes)
            while !cursor.isAtEnd {
                switch cursor.current {
                case 0x5C where isText && cursor.peek(1) == 0x28:
                    opened.append(depth)
                    isText = false
                    cursor.index += 1
                case 0x5C where isText: cursor.index += 1
                case 0x22: isText.toggle()
                case 0x28 where !isText: depth += 1
                case 0x29 where !isText && opened.last == depth:
                    opened.removeLast()
                    isText = true
                case 0x29 where !isText: depth -= 1
                case let byte where !isText && (byte.isASCIIDigit || byte == 0x2E):
                    let start = cursor.index
                    while isNumberPart(cursor) { cursor.index += 1 }
                    if Double(String(decoding: bytes[start..<cursor.index], as: UTF8.self))?.isFinite == false {
                        return true
                    }
                    if cursor.index > start { continue }
                case let byte where !isText && (byte.isASCIILetter || byte == 0x5F):
                    // Digits within a name are no number.
                    while cursor.current.isASCIILetter || cursor.current.isASCIIDigit || cursor.current == 0x5F {
                        cursor.index += 1
                    }
                    continue
                default: break
                }
                cursor.index += 1
            }
            return false
        }
    }

    private static func isNumberPart(_ cursor: ByteCursor) -> Bool {
        let byte = cursor.current
        if byte.isASCIIDigit || byte == 0x2E || byte | 0x20 == 0x65 { return !cursor.isAtEnd }
        return (byte == 0x2B || byte == 0x2D) && cursor.peek(-1) | 0x20 == 0x65
    }
}
