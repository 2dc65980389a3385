/// What a POSIX shell takes for one word.
package enum ShellWord {
    /// The word as it is, or between quotes where a shell would make something else of it.
    package static func quoted(_ word: String) -> String {
        isPlain(word, besides: "%") ? word : "'\(word.replacing("'", with: "'\\''"))'"
    }

    /// Whether all is letters, digits and signs that stand for themselves everywhere, besides some others.
    package static func isPlain(_ word: String, besides: String = "") -> Bool {
        !word.isEmpty && word.allSatisfy { $0.isLetter || $0.isNumber || "/._-+:@=,\(besides)".contains($0) }
    }
}
