import CrierNotifications
import Mustache

/// A user's own text for notifications: Mustache (mustache.github.io/mustache.5.html) over the keys of a
/// ``NotificationDocument``, every value escaped for where the text goes, with two braces as with three.
public struct NotificationTemplate: Sendable {
    private let template: MustacheTemplate
    private let escaping: Escaping

    /// - Throws: ``TemplateProblem`` when the text is not Mustache.
    public init(_ text: String, escaping: Escaping) throws(TemplateProblem) {
        self.escaping = escaping
        do {
            // Values come escaped already, so Mustache itself is to leave them alone.
            template = try MustacheTemplate(string: "{{% CONTENT_TYPE:TEXT}}" + text)
        } catch let error as MustacheTemplate.ParserError {
            throw TemplateProblem(description: "line \(error.context.lineNumber) is not Mustache: \(error.error)")
        } catch {
            throw TemplateProblem(description: "this is not Mustache: \(error)")
        }
    }

    func render(_ attempt: DeliveryAttempt) -> String {
        let members = NotificationDocument(attempt).members.map { ($0.name, $0.value) }
        return render(Dictionary(members) { first, _ in first })
    }

    func render(_ members: [String: UserInfoValue]) -> String {
        template.render(members.mapValues { value(of: $0) })
    }

    private func value(of value: UserInfoValue) -> Any {
        switch value {
        case .null: TemplateText(renderText: "")
        case .bool(let flag): flag
        case .number(let number): TemplateText(renderText: JSONWriter.text(of: number))
        case .string(let text): TemplateText(renderText: escaping.escape(text))
        case .array(let elements): elements.map { self.value(of: $0) }
        case .object(let members): members.mapValues { self.value(of: $0) }
        }
    }

    /// Not a `String`, whose transforms (`{{reversed(title)}}`) would take an escape apart.
    private struct TemplateText: MustacheCustomRenderable {
        let renderText: String
        var isNull: Bool { renderText.isEmpty }
    }
}

/// What is wrong with a template: one sentence for the user.
public struct TemplateProblem: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String
}
