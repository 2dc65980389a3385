import struct Foundation.Data

/// Header fields of a mail. Texts come as one plain line; nothing of them can begin a field of its own.
enum MailHeader {
    /// A field with a text of outsiders: as it is where it is short ASCII, else as encoded words (RFC 2047 §2).
    static func field(_ name: String, _ text: String) -> String {
        let isPlain = text.utf8.allSatisfy { 0x20..<0x7f ~= $0 } && !text.contains("=?")
        // 78 characters of a line, of which none is to be folded (RFC 5322 §2.1.1).
        if isPlain, name.utf8.count + 2 + text.utf8.count <= 78 { return "\(name): \(text)" }
        return "\(name): " + encodedWords(text, behind: name.utf8.count + 2).joined(separator: "\r\n ")
    }

    /// Base64 words, each of whole characters and short enough for its line, of 76 characters (RFC 2047 §2), the first behind so many.
    private static func encodedWords(_ text: String, behind count: Int) -> [String] {
        var words: [String] = []
        var word: [UInt8] = []
        func encoded() -> String { "=?utf-8?B?\(Data(word).base64EncodedString())?=" }
        for scalar in text.unicodeScalars {
            let bytes = Array(String(scalar).utf8)
            // 12 characters stand around those of base64, of which four are three bytes.
            let room = (76 - 12 - (words.isEmpty ? count : 1)) / 4 * 3
            if word.count + bytes.count > room {
                words.append(encoded())
                word = []
            }
            word += bytes
        }
        return words + [encoded()]
    }
}

/// Quoted-printable (RFC 2045 §6.7), with lines that end in CR LF.
enum QuotedPrintable {
    private static let digits = Array("0123456789ABCDEF".utf8)
    private static let lineLimit = 76

    static func encode(_ text: String) -> String {
        let lines = text.split(separator: "\n", omittingEmptySubsequences: false)
        return lines.map { line(Array($0.utf8)) }.joined(separator: "\r\n")
    }

    private static func line(_ bytes: [UInt8]) -> String {
        var result: [UInt8] = []
        var length = 0
        for (index, byte) in bytes.enumerated() {
            // A blank at the end of a line would be lost on the way.
            let isLastBlank = index == bytes.count - 1 && (byte == 0x20 || byte == 0x09)
            let isPlain = (0x20...0x7e).contains(byte) && byte != 0x3d && !isLastBlank
            let piece = isPlain ? [byte] : [0x3d, digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if length + piece.count > lineLimit - 1 {
                result += [0x3d, 0x0d, 0x0a]
                length = 0
            }
            result += piece
            length += piece.count
        }
        return String(decoding: result, as: UTF8.self)
    }
}
