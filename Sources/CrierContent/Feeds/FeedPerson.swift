/// What the elements within an author say.
struct FeedPerson {
    /// The element that is open.
    var part: FeedElement.Role?
    private var name: String?
    private var email: String?

    mutating func endPart(_ text: String?) {
        if part == .name, name == nil { name = text }
        if part == .email, email == nil { email = text }
        part = nil
    }

    /// The name of the person: Atom's `name`, else the email address, else of RSS's `address (name)` or `name <address>`.
    func shown(_ bytes: UnsafeBufferPointer<UInt8>) -> String? {
        if let known = name ?? email { return PlainText.line(text: known) }
        guard !bytes.isEmpty else { return nil }
        let text = PlainText.line(html: String(utf8: bytes))
        if text.hasSuffix(">"), let open = text.firstIndex(of: "<") {
            let (name, address) = (text[..<open], text[open...].dropFirst().dropLast())
            guard Self.isAddress(address) else { return text }
            // In a line one blank follows another word.
            return String(name.isEmpty ? address : name.hasSuffix(" ") ? name.dropLast() : name)
        }
        guard text.hasSuffix(")"), let open = text.firstIndex(of: "("), text[..<open].contains("@") else {
            return text.isEmpty ? nil : text
        }
        let inner = text[text.index(after: open)...].dropLast()
        return inner.allSatisfy(\.isWhitespace) ? text : String(inner)
    }

    private static func isAddress(_ text: Substring) -> Bool {
        text.wholeMatch(of: /[^@<>\s\/]+@[^@<>\s\/]+/) != nil
    }
}
