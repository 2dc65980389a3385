import Foundation

/// What a source is called where the user does not say.
enum SourceName {
    /// As these Crier's own notifications are grouped and identified; a stranger's feed is not to look like them.
    private static let own: Set<String> = ["crier", "digest"]

    /// From the feed's title, else its host, with a number behind it where the name is taken.
    ///
    /// - Parameter numbers: The last that was given, by what stands before it: lists may have very many of one title.
    static func free(
        title: String?, address: String, taken: Set<String>, after numbers: inout [String: Int]
    ) -> String {
        let host = URLComponents(string: address)?.host ?? ""
        let base = [title.map(slug) ?? "", slug(host)].first { !$0.isEmpty } ?? "source"
        var name = base
        var number = numbers[base] ?? 1
        if number > 1 { name = "\(base)-\(number)" }
        while taken.contains(name) || own.contains(name) {
            number += 1
            name = "\(base)-\(number)"
        }
        numbers[base] = number
        return name
    }

    /// ASCII letters and digits, in lower case, joined by hyphens; other scripts in Latin letters, 干货 as `gan-huo`.
    static func slug(_ text: String) -> String {
        let text = String(text.prefix(200))
        let latin = text.applyingTransform(.toLatin, reverse: false) ?? text
        let plain = latin.folding(options: [.diacriticInsensitive, .caseInsensitive], locale: nil).lowercased()
        // What Latin letters lack is written as a sign above the line, as in balʿalm: no gap.
        let letters = plain.unicodeScalars.filter { $0.properties.generalCategory != .modifierLetter }
        let words = String(String.UnicodeScalarView(letters)).split { !($0.isASCII && ($0.isLetter || $0.isNumber)) }
        return words.joined(separator: "-").prefix(40).trimmingCharacters(in: ["-"])
    }
}
