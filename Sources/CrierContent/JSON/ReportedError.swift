/// What a JSON document says of its own failure, in the members that usually hold it: those of RFC 9457, of RFC 6749 §5.2, of
/// JSON:API and GraphQL, and others' habits.
package enum ReportedError {
    private static let members = [
        ".msg", ".message", ".error", ".error.message", ".error_description", ".error_message", ".detail", ".reason",
        ".errors[].detail", ".errors[].message", ".errors[]", ".description", ".status_message", ".fault.faultstring",
        ".title",
    ]

    /// Those of them that no list has of its own.
    private static let membersOfReports = members.filter { ![".description", ".title"].contains($0) }

    /// Those of them that hold nothing but errors.
    private static let membersOfErrors = members.filter { $0.hasPrefix(".error") || $0.hasPrefix(".fault") }

    /// What is known of a document that may be one.
    enum Suspicion {
        /// It came with a status of failure.
        case isError
        /// It is no success by what its members say.
        case isReport
        /// It has no list where one should be.
        case hasNoList

        fileprivate var members: [String] {
            switch self {
            case .isError: ReportedError.members
            case .isReport: membersOfReports
            case .hasNoList: membersOfErrors
            }
        }
    }

    /// Errors that are longer are pages.
    private static let longest = 65_536

    /// One line, cut at 200 characters; nil where it says nothing.
    static func words(of document: JSONNode, _ suspicion: Suspicion) -> String? {
        for member in suspicion.members {
            var message: String?
            try? JQPath(member)?.run(on: document) { value throws(ContentError) in
                message = value.string
                return message == nil
            }
            if let message, !message.isEmpty { return PlainText.line(text: message, limit: 200) }
        }
        return nil
    }

    /// Whether a document says by one of the usual members that there is no error, as some have it beside a message such as "success".
    static func isDenied(by document: JSONNode) -> Bool {
        ["error", "errors", "error.code", "errorCode", "error_code", "code", "status", "errno", "error_message"]
            .contains { member in
                var isGood = false
                try? JQPath("." + member)?.run(on: document) { value throws(ContentError) in
                    isGood = goodWords.contains(value.string?.lowercased() ?? "") || [0, 200].contains(value.number)
                    return false
                }
                return isGood
            }
    }

    private static let goodWords: Set = ["0", "200", "ok", "success", "successful", "none", "null", "no error"]

    /// - Parameter body: Of an answer that is no success, in whatever format.
    package static func words(in body: [UInt8]) -> String? {
        guard body.count <= longest, body.first(where: { $0 > 0x20 }) == 0x7B else { return nil }
        return (try? JSONDocument.parse(body)).flatMap { words(of: $0, .isError) }
    }
}
