import CrierDelivery
import CrierFetch

extension Configuration {
    /// Templates that the configuration has checked.
    public var digestLooks: DigestLooks {
        func template(_ text: String?, _ escaping: Escaping) -> NotificationTemplate? {
            text.flatMap { try? NotificationTemplate($0, escaping: escaping) }
        }
        return DigestLooks(
            own: digestTemplates.mapValues { texts in
                DigestLooks.Templates(
                    text: template(texts.text, .plain), html: template(texts.html, .html),
                    markdown: template(texts.markdown, .markdown))
            })
    }

    public func digest(named name: String) throws(UnknownName) -> Digest {
        if let digest = digests.first(where: { $0.name == name }) { return digest }
        let hint = suggestion(for: name, among: digests.map(\.name))
        throw UnknownName(description: "no digest is called \(quoted(name))\(hint)")
    }
}

extension Digest.Language {
    /// Of a user's locale (POSIX: `LC_ALL`, `LC_MESSAGES`, `LANG`); GNU's `LANGUAGE` lists what is liked best first.
    public init(environment: [String: String]) {
        let names = ["LC_ALL", "LC_MESSAGES", "LANG"].lazy.compactMap { environment[$0] }
        let locale = names.first { !$0.isEmpty } ?? ""
        let isPlain = ["", "C", "POSIX"].contains(locale.prefix { $0 != "." })
        let liked = isPlain ? "" : environment["LANGUAGE"]?.split(separator: ":").first.map(String.init) ?? ""
        let tag = (liked.isEmpty ? locale : liked).lowercased()
        let isSimplified = tag.hasPrefix("zh") && !["tw", "hk", "mo", "hant"].contains { tag.contains($0) }
        self = isSimplified ? .simplifiedChinese : .english
    }
}
