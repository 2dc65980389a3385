import CrierDelivery

/// How a text that `crier install` wrote is told from one that the user has changed since: by a hash in its first line.
struct Seal: Sendable {
    enum Verdict: Sendable, Hashable {
        case intact
        case changed
        /// Not written by `crier install` at all.
        case absent
    }

    static func hash(of text: String) -> String { String(IdentifierToken.token(of: text).prefix(16)) }

    /// Of files in which a comment begins with a number sign, and of XML.
    static let lines = Seal(begin: "# ", end: "")
    static let markup = Seal(begin: "<!-- ", end: " -->")

    private let begin: String
    private let end: String

    func sealed(_ text: String) -> String { "\(mark)\(Self.hash(of: text))\(end)\n\(text)" }

    func verdict(on text: String) -> Verdict {
        guard text.hasPrefix(mark), let line = text.firstIndex(of: "\n") else { return .absent }
        let hash = text[..<line].dropFirst(mark.count)
        return hash == Self.hash(of: String(text[text.index(after: line)...])) + end ? .intact : .changed
    }

    private var mark: String { "\(begin)Written by `crier install`, removed by `crier uninstall`. " }
}
