import CrierContent

import struct Foundation.TimeZone

/// What the fuzzer's inputs are read as.
enum FuzzedFormat: String, CaseIterable {
    case feeds
    case jsonFeed = "json-feed"
    /// JSON through a mapping of plain paths. Compiled jq programs are no outside input.
    case json
    case html, xml
    /// HTML made plain text, as titles and summaries are.
    case text
    /// The feeds that a page names.
    case links
    case dates, opml
    /// The input's first byte chooses the charset of the `Content-Type`.
    case encoding

    /// Reads one input; whatever it throws is an answer, only a crash, a hang or a flood of memory is a finding.
    func read(_ input: UnsafeBufferPointer<UInt8>) {
        switch self {
        case .feeds, .jsonFeed: decode(input, ContentMapping())
        case .json:
            let fields: [ContentField: String] = [
                .id: ".id", .title: ".title // .name", .url: ".url", .published: ".date", .author: ".authors[].name",
                .summary: ".[\"html\"]", .category: ".tags", .attachment: ".files[0]?",
            ]
            for items in [".items[]", ".[]?", ".[]?[]?"] {
                decode(input, ContentMapping(format: .json, items: items, fields: fields, when: ".error == null"))
            }
        case .html: decode(input, xpath(.html, items: "//li | //a | //p"))
        case .xml: decode(input, xpath(.xml, items: "/*/*"))
        case .text: readText(String(decoding: input, as: UTF8.self))
        case .links:
            for link in FeedLinks.find(in: Array(input), url: "https://e.example/a/") {
                _ = URLReference.resolve(link.url, against: link.title ?? "")
            }
        case .opml:
            guard let list = try? SubscriptionList(opml: ContentDocument(body: Array(input), url: "")) else { return }
            let again = try? SubscriptionList(opml: ContentDocument(body: Array(list.opml.utf8), url: ""))
            precondition(
                again?.feeds.map(\.url).sorted() == list.feeds.map(\.url).sorted(), "a feed is lost on its way")
        case .dates:
            let text = String(decoding: input, as: UTF8.self)
            _ = DateParser.parse(text, timeZone: .gmt)
            if let zone = TimeZone(identifier: "Europe/Berlin") {
                _ = DateParser.parse(text, timeZone: zone, datesAreLocal: true)
            }
        case .encoding:
            guard let first = input.first else { return }
            let charset = Self.charsets[Int(first) % Self.charsets.count]
            let rest = UnsafeBufferPointer(rebasing: input.dropFirst())
            decode(rest, ContentMapping(), contentType: "text/xml; charset=\(charset)")
            decode(rest, xpath(.html, items: "//p"), contentType: "text/html; charset=\(charset)")
        }
    }

    private func readText(_ text: String) {
        for read in [
            PlainText.line(html: text, limit: 100), PlainText.text(html: text), PlainText.line(text: text),
            PlainText.text(text: text),
        ] {
            precondition(!read.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" }, "a control character is left")
        }
    }

    private static let charsets = [
        "", "utf-8", "utf-16", "utf-16le", "utf-7", "iso-8859-1", "windows-1252", "shift_jis", "euc-jp", "iso-2022-jp",
        "gb18030", "big5", "koi8-r", "euc-kr", "ibm037", "nosuch",
    ]

    private func xpath(_ format: ContentFormat, items: String) -> ContentMapping {
        ContentMapping(
            format: format, items: items,
            fields: [
                .id: "@id", .title: ".", .url: "@href", .published: "*/@datetime", .author: "b", .summary: "*",
                .category: "concat(name(), '-', count(*))",
            ])
    }

    private func decode(
        _ input: UnsafeBufferPointer<UInt8>, _ mapping: ContentMapping, contentType: String? = nil
    ) {
        let document = ContentDocument(body: Array(input), url: "https://e.example/a/", contentType: contentType)
        _ = try? ContentDecoder(mapping: mapping).decode(document)
    }
}
