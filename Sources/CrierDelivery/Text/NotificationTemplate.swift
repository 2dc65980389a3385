import CrierNotifications
import Mustache

import protocol Foundation.LocalizedError

/// A user's own text for notifications: Mustache (mustache.github.io/mustache.5.html) over the keys of a
/// ``NotificationDocument``, every value escaped for where the text goes, with two braces as with three. A list or an object as
/// a whole is its JSON.
public struct NotificationTemplate: Sendable {
    private let template: MustacheTemplate
    private let escaping: Escaping

    /// - Throws: ``TemplateProblem`` when the text is not Mustache, or its sections stand in one another more than 64 deep.
    public init(_ text: String, escaping: Escaping) throws(TemplateProblem) {
        self.escaping = escaping
        if TemplateDepth.isTooDeep(text) {
            let limit = TemplateDepth.limit
            throw TemplateProblem(description: "its sections stand in one another more than \(limit) deep")
        }
        do {
            // Values come escaped already, so Mustache itself is to leave them alone.
            template = try MustacheTemplate(string: Self.preamble + text)
        } catch let error as MustacheTemplate.ParserError {
            let place = error.context
            // On the first line stands what was put before it.
            let column = place.columnNumber - (place.lineNumber == 1 ? Self.preamble.count : 0)
            throw TemplateProblem(
                description:
                    "line \(place.lineNumber), column \(max(1, column)) of it is not Mustache: \(Self.words(error.error))"
            )
        } catch {
            throw TemplateProblem(description: "this is not Mustache: \(error)")
        }
    }

    private static let preamble = "{{% CONTENT_TYPE:TEXT}}"

    /// A mistake in the words of a person.
    private static func words(_ error: any Error) -> String {
        switch error as? MustacheTemplate.Error {
        case .sectionCloseNameIncorrect: "a section is closed by another name than it was opened with"
        case .unfinishedName: "a tag has no end, or a name that is none"
        case .expectedSectionEnd: "a section is not closed"
        case .invalidSetDelimiter: "the change of the delimiters is not complete"
        case let other?: "\(other)"
        // The end of the text comes before that of a tag.
        case nil: "a tag has no end"
        }
    }

    /// Its text for a notification. That is always one: a key that there is not, and a transform that does not fit, give nothing.
    public func render(_ attempt: DeliveryAttempt) -> String { render(members(of: attempt)) }

    /// Its keys.
    func members(of attempt: DeliveryAttempt) -> [String: UserInfoValue] {
        let pairs = NotificationDocument(attempt).members.map { ($0.name, $0.value) }
        let members = Dictionary(pairs) { first, _ in first }
        return escaping == .html || escaping == .markdown ? Self.linkable(members) : members
    }

    /// With addresses that may be linked: no escape keeps a reader from what `javascript:` does. A program's own data are left as
    /// they are, but for the digest among them.
    private static func linkable(_ members: [String: UserInfoValue]) -> [String: UserInfoValue] {
        var linkable = WebLink.safe(members, under: ["url"])
        guard case .object(var userInfo)? = members["userInfo"] else { return linkable }
        if case .object(let page)? = userInfo[DigestPage.key] {
            userInfo[DigestPage.key] = .object(WebLink.safe(page, under: ["url", "image"]))
        }
        linkable["userInfo"] = .object(userInfo)
        return linkable
    }

    /// - Parameter escape: How values are written, where that is not the template's escaping alone.
    func render(_ members: [String: UserInfoValue], _ escape: ((String) -> String)? = nil) -> String {
        var writing = writing
        if let escape { writing.escape = escape }
        return render(TemplateObject(members: members, writing: writing))
    }

    /// With its own escaping.
    var writing: TemplateWriting { TemplateWriting(escaping: escaping) { escaping.escape($0) } }

    func render(_ object: some MustacheParent) -> String { template.render(object) }
}

/// What is wrong with a template: one sentence for the user.
public struct TemplateProblem: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
}
