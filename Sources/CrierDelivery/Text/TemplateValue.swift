import CrierNotifications
import Mustache

/// How the values of a template are written.
struct TemplateWriting {
    /// Where the text goes.
    let escaping: Escaping
    /// What is made of a text there.
    var escape: (String) -> String

    func value(of value: UserInfoValue) -> Any {
        switch value {
        case .null: TemplateText(renderText: "")
        case .bool(let flag): flag
        case .number(let number): TemplateText(renderText: JSONWriter.text(of: number), isNull: number == 0)
        case .string(let text): TemplateText(renderText: escape(text))
        case .array(let elements): TemplateList(elements: elements, writing: self)
        case .object(let members): TemplateObject(members: members, writing: self)
        }
    }

    /// A list or an object as a whole: its JSON, which in JSON is a value and needs no quotes around it.
    fileprivate func text(of value: UserInfoValue) -> String {
        let json = String(decoding: JSONWriter.bytes(value), as: UTF8.self)
        return switch escaping {
        case .json: json
        case .yaml: Escaping.withoutApostrophes(json)
        default: escape(json)
        }
    }
}

/// Not a `String`, whose transforms (`{{reversed(title)}}`) would take an escape apart.
private struct TemplateText: MustacheCustomRenderable {
    let renderText: String
    /// Whether a section over it is left out.
    let isNull: Bool

    init(renderText: String, isNull: Bool? = nil) {
        self.renderText = renderText
        self.isNull = isNull ?? renderText.isEmpty
    }
}

/// Not an `Array`, which would be described as Swift sees it.
private struct TemplateList: MustacheSequence, MustacheParent, MustacheTransformable, MustacheCustomRenderable {
    let elements: [UserInfoValue]
    let writing: TemplateWriting

    var renderText: String { writing.text(of: .array(elements)) }
    var isNull: Bool { false }

    func makeIterator() -> AnyIterator<Any> { AnyIterator(elements.lazy.map(writing.value).makeIterator()) }

    func child(named: String) -> Any? { nil }

    func transform(_ name: String) -> Any? {
        switch name {
        case "first": elements.first.map(writing.value)
        case "last": elements.last.map(writing.value)
        case "reversed": TemplateList(elements: elements.reversed(), writing: writing)
        case "count": elements.count
        case "empty": elements.isEmpty
        default: nil
        }
    }
}

/// Not a `Dictionary`, for the same reason.
struct TemplateObject: MustacheParent, MustacheTransformable, MustacheCustomRenderable {
    let members: [String: UserInfoValue]
    let writing: TemplateWriting

    var renderText: String { writing.text(of: .object(members)) }
    var isNull: Bool { members.isEmpty }

    func child(named name: String) -> Any? { members[name].map(writing.value) }

    func transform(_ name: String) -> Any? {
        switch name {
        case "count": members.count
        case "empty": members.isEmpty
        case "enumerated", "sorted":
            TemplateList(elements: pairs, writing: writing)
        default: nil
        }
    }

    private var pairs: [UserInfoValue] {
        members.sorted { $0.key < $1.key }.map { .object(["key": .string($0.key), "value": $0.value]) }
    }
}
