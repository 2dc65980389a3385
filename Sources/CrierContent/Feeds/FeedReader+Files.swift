/// The links and files of an item.
extension FeedReader {
    mutating func add(_ link: AtomLink, rank elementRank: UInt8) {
        switch link.relation {
        case "enclosure":
            entry.addAttachment(
                ContentAttachment(
                    url: resolved(link.href), type: link.type, length: link.length,
                    title: link.title.flatMap { ContentBounds.text(PlainText.line(text: $0), to: ContentBounds.name) }))
        case "replies": entry.comments.offer(resolved(link.href), rank: link.typeRank + elementRank)
        case "related": entry.related = entry.related ?? resolved(link.href)
        default:
            guard let rank = link.rank else { return }
            let url = resolved(link.href)
            entry.link.offer(url.isEmpty ? nil : url, rank: rank + elementRank)
        }
    }

    mutating func addFile(_ element: FeedElement, _ attributes: XMLAttributes) {
        guard let reference = attributes.string("url") ?? attributes.string("href") else { return }
        let url = resolved(reference)
        let type = attributes.string("type")
        switch element.role {
        case .image:
            entry.image.offer(ContentBounds.url(url), rank: element.rank)
            return
        case .mediaThumbnail: entry.image.offer(ContentBounds.url(url), rank: 0)
        case .mediaContent where attributes.string("medium")?.lowercased() == "image":
            entry.image.offer(ContentBounds.url(url), rank: 2)
        default: break
        }
        let file = ContentAttachment(
            url: url, type: type, length: attributes.length("length") ?? attributes.length("fileSize"),
            duration: attributes.string("duration").flatMap(FeedDuration.seconds))
        if element.role == .enclosure, file.mayBeRecording { entry.episode = entry.episode ?? url }
        entry.addAttachment(file)
    }

    /// Atom's content may stand in a file of its own (RFC 4287 section 4.1.3.2).
    mutating func addContentElsewhere(_ element: FeedElement, _ attributes: XMLAttributes) {
        guard !attributes.isEmpty, element.isAtom || format == .atom, let file = attributes.string("src") else {
            return
        }
        let type = attributes.string("type")
        if type?.lowercased().contains("html") ?? true {
            entry.link.offer(resolved(file), rank: 3)
        } else {
            entry.addAttachment(ContentAttachment(url: resolved(file), type: type))
        }
    }
}

/// Durations of recordings: `1800`, `30:00`, `1:02:03` (https://help.apple.com/itc/podcasts_connect/#/itcb54353390).
enum FeedDuration {
    /// Seconds; nil for what is no duration.
    static func seconds(_ text: String) -> Double? {
        let parts = text.split(separator: ":", omittingEmptySubsequences: false)
        guard parts.count <= 3 else { return nil }
        var seconds = 0.0
        for part in parts {
            // Not `0x10`, `1e3` nor `inf`.
            guard part.utf8.allSatisfy({ $0.isASCIIDigit || $0 == UInt8(ascii: ".") }), let value = Double(part),
                value >= 0, value < 1e7
            else { return nil }
            seconds = seconds * 60 + value
        }
        return seconds > 0 ? seconds : nil
    }
}
