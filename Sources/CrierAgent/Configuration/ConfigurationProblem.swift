import protocol Foundation.LocalizedError

/// A place in a file.
public struct FilePosition: Sendable, Hashable, Comparable {
    /// From 1.
    public var line: Int
    /// From 1, in Unicode scalars.
    public var column: Int

    public init(line: Int, column: Int) {
        self.line = line
        self.column = column
    }

    public static func < (one: FilePosition, other: FilePosition) -> Bool {
        (one.line, one.column) < (other.line, other.column)
    }

    /// Where the bytes stop being UTF-8.
    init(ofFirstInvalidByteIn bytes: [UInt8]) {
        var decoder = UTF8()
        var iterator = bytes.makeIterator()
        self.init(line: 1, column: 1)
        while case .scalarValue(let scalar) = decoder.decode(&iterator) {
            advance(over: scalar)
        }
    }

    mutating func advance(over scalar: Unicode.Scalar) {
        if scalar == "\n" {
            line += 1
            column = 1
        } else {
            column += 1
        }
    }
}

/// Something in a configuration file that Crier cannot follow: where, what, and what was expected.
public struct ConfigurationProblem: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public var file: String
    public var position: FilePosition
    /// The key it concerns, such as `sources.gank.every`; empty for the file as a whole.
    public var path: String
    /// What is wrong, without a full stop. Never holds a secret, nor control characters.
    public var message: String
    /// What would be right.
    public var expected: String?
    /// The nearest known key or value.
    public var suggestion: String?
    /// The source that cannot be used for it; nil if the problem concerns the whole file.
    public var source: String?

    public init(
        file: String, position: FilePosition, path: String = "", message: String, expected: String? = nil,
        suggestion: String? = nil, source: String? = nil
    ) {
        self.file = file
        self.position = position
        self.path = path
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
        self.source = source
    }

    /// One line: `FILE:LINE:COLUMN: KEY: what is wrong; expected …; did you mean "…"?`
    public var description: String {
        var text = "\(file):\(position.line):\(position.column): "
        if !path.isEmpty { text += "\(printable(path)): " }
        text += message
        if let expected { text += "; expected \(expected)" }
        if let suggestion { text += "; did you mean \(quoted(suggestion))?" }
        return text
    }

    public var errorDescription: String? { description }
}

/// What is wrong with one value, before it is known where the value stands.
struct ValueComplaint: Error, Hashable {
    var message: String
    var expected: String?
    var suggestion: String?

    init(_ message: String, expected: String? = nil, suggestion: String? = nil) {
        self.message = message
        self.expected = expected
        self.suggestion = suggestion
    }
}
