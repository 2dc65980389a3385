import CrierContent
import CrierProcess

/// The address of a source that holds secrets: they are sent in it, and wherever it is shown or remembered their marks stand, `{name}`
/// each. A class, as hardly any visit has one, and each has a place for it.
final class SecretAddress: Sendable {
    /// With marks, as the configuration has it.
    private let written: String
    /// With secrets.
    let sent: String
    /// Percent-encoded (RFC 3986 §2.1), the longest first: one may hold another.
    private let values: [(mark: String, value: String)]

    /// - Parameter secrets: By what stands between the braces; as they are.
    init(_ written: String, _ secrets: [String: String]) {
        self.written = written
        values = secrets.map { (Self.mark(of: $0), $1.percentEncoded) }.sorted { $0.value.count > $1.value.count }
        sent = values.reduce(written) { $0.replacing($1.mark, with: $1.value) }
    }

    static func mark(of name: String) -> String { "{\(name)}" }

    /// Another address with secrets in the place of their marks.
    func filled(_ url: String) -> String { values.reduce(url) { $0.replacing($1.mark, with: $1.value) } }

    /// One that was sent, or that an origin says, with marks in the place of secrets.
    func shown(_ url: String) -> String {
        if url == sent { return written }
        return values.filter { $0.value.count >= SentSecrets.shortest }.reduce(url) {
            $0.replacing($1.value, with: $1.mark)
        }
    }

    /// Not in that of the document, as what is linked relative to it would lead nowhere.
    func hide(in answer: inout OriginAnswer) {
        answer.url = answer.url.map(shown)
        answer.movedTo = answer.movedTo.map(shown)
        answer.address = self
    }

    func hidden(in failure: SourceFailure) -> SourceFailure {
        var failure = failure
        failure.url = failure.url.map(shown)
        return failure
    }

    /// Where a feed says that it is now. Links of its items lead nowhere without what they hold.
    func hide(in content: inout DecodedContent) {
        content.hints.newAddress = content.hints.newAddress.map(shown)
    }
}
