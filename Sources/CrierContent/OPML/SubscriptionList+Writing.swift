extension SubscriptionList {
    /// The list as OPML 2.0, folders in the order in which they first occur.
    public var opml: String {
        var root = Folder()
        for feed in feeds { root.add(feed, path: feed.tags.first.map { $0.split(separator: "/")[...] } ?? []) }
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<opml version=\"2.0\">", "  <head>",
            "    <title>\(Self.escaped(title ?? "Subscriptions"))</title>", "  </head>", "  <body>",
        ]
        root.write(to: &lines, indentation: "    ")
        return (lines + ["  </body>", "</opml>", ""]).joined(separator: "\n")
    }

    private struct Folder {
        private var feeds: [Feed] = []
        private var names: [Substring] = []
        private var folders: [Substring: Folder] = [:]

        mutating func add(_ feed: Feed, path: ArraySlice<Substring>) {
            guard let first = path.first else { return feeds.append(feed) }
            if folders[first] == nil { names.append(first) }
            folders[first, default: Folder()].add(feed, path: path.dropFirst())
        }

        func write(to lines: inout [String], indentation: String) {
            for feed in feeds { lines.append(indentation + SubscriptionList.outline(feed)) }
            for name in names {
                lines.append("\(indentation)<outline text=\"\(SubscriptionList.escaped(name))\">")
                folders[name]?.write(to: &lines, indentation: indentation + "  ")
                lines.append("\(indentation)</outline>")
            }
        }
    }

    /// `text` is required of every outline, and `type` and `xmlUrl` of a subscription.
    private static func outline(_ feed: Feed) -> String {
        let title = escaped(feed.title ?? feed.url)
        var attributes = "type=\"rss\" text=\"\(title)\" title=\"\(title)\" xmlUrl=\"\(escaped(feed.url))\""
        if let home = feed.homeURL { attributes += " htmlUrl=\"\(escaped(home))\"" }
        let categories = feed.tags.dropFirst().map { "/" + $0.split(separator: ",").joined(separator: " ") }
        if !categories.isEmpty { attributes += " category=\"\(escaped(categories.joined(separator: ",")))\"" }
        return "<outline \(attributes)/>"
    }

    /// As text or as an attribute's value; what XML does not allow is left out.
    private static func escaped(_ text: some StringProtocol) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += "&#\(scalar.value);"
            case "\u{0}"..<" ", "\u{FFFE}", "\u{FFFF}": break
            // What nobody sees, or what turns the line around it, is to be seen in the file.
            case _ where !scalar.isASCII && scalar.properties.generalCategory == .format: result += "&#\(scalar.value);"
            default: result.unicodeScalars.append(scalar)
            }
        }
        return result
    }
}
