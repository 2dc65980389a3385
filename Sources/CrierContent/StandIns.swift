import struct Foundation.Date
import struct Foundation.TimeZone
import class Foundation.ISO8601DateFormatter
import class Foundation.DateFormatter
import struct Foundation.Locale
enum DateParser {
    static func parse(_ text: some StringProtocol, timeZone: TimeZone, datesAreLocal: Bool) -> Date? {
        if let d = ISO8601DateFormatter().date(from: String(text)) { return d }
        let f = DateFormatter(); f.locale = Locale(identifier: "en_US_POSIX"); f.dateFormat = "EEE, dd MMM yyyy HH:mm:ss zzz"
        return f.date(from: String(text))
    }
}
enum PlainText {
    static func text(html: String) -> String { line(html: html) }
    static func line(html: String) -> String {
        var out = "", tag = false
        for c in html { if c == "<" { tag = true } else if c == ">" { tag = false } else if !tag { out.append(c) } }
        return line(text: out)
    }
    static func line(text: String) -> String { text.split(whereSeparator: \.isWhitespace).joined(separator: " ") }
}
enum URLReference { static func resolve(_ r: String, against base: String?) -> String { r } }
enum ItemIdentity { static func assign(to items: inout [ContentItem]) {} }
