extension Escaping {
    /// What values in a body of that media type need.
    public static func forContent(ofType contentType: String) -> Escaping {
        let type = essence(contentType)
        return switch type {
        case _ where isJSON(contentType): .json
        // JSON objects one by one.
        case _ where jsonLines.contains { type.hasSuffix($0) }: .json
        case _ where type.hasSuffix("/yaml") || type.hasSuffix("/x-yaml") || type.hasSuffix("+yaml"): .yaml
        case "text/html": .html
        case _ where type.hasSuffix("/xml") || type.hasSuffix("+xml"): .html
        case "application/x-www-form-urlencoded": .form
        case "text/markdown": .markdown
        default: .plain
        }
    }

    /// Whether a body of that media type is one JSON text.
    public static func isJSON(_ contentType: String) -> Bool {
        let type = essence(contentType)
        return type.hasSuffix("/json") || type.hasSuffix("+json")
    }

    /// Without parameters, in lower case.
    private static func essence(_ contentType: String) -> String {
        contentType.prefix { $0 != ";" }.lowercased().filter { $0 != " " }
    }

    private static let jsonLines = ["/json-seq", "/ndjson", "/x-ndjson", "/jsonl", "/jsonlines", "/x-jsonlines"]
}
