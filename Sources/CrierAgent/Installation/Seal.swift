import Crypto

import struct Foundation.Data

/// How a text that `crier install` wrote is told from one that the user has changed since: by a hash in its first line.
enum Seal {
    enum Verdict: Sendable, Hashable {
        case intact
        case changed
        /// Not written by `crier install` at all.
        case absent
    }

    static func hash(of text: String) -> String {
        SHA256.hash(data: Data(text.utf8)).prefix(8).map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }.joined()
    }

    static func sealed(_ text: String) -> String { "\(mark)\(hash(of: text))\n\(text)" }

    static func verdict(on text: String) -> Verdict {
        guard text.hasPrefix(mark), let end = text.firstIndex(of: "\n") else { return .absent }
        let hash = text[..<end].dropFirst(mark.count)
        return hash == self.hash(of: String(text[text.index(after: end)...])) ? .intact : .changed
    }

    private static let mark = "# Written by `crier install`, removed by `crier uninstall`. "
}
