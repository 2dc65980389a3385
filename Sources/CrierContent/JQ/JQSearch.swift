/// Says how far a program gets in a document, and what is there instead.
enum JQSearch {
    /// Why there are no items.
    static func explainNothing(from items: String?, in document: JSONNode) -> String {
        guard let items else {
            return "no items: the document is \(document.shape), and the mapping has no `items`"
        }
        return "no items from \(shown(items)): "
            + (finding(items, in: document)?.text ?? "the document is \(document.shape)")
    }

    /// Whether there is nothing, or null, where the items should be.
    static func leadsNowhere(_ items: String?, in document: JSONNode) -> Bool {
        document.kind == .object && finding(items ?? ".items", in: document)?.isNothing == true
    }

    /// The members in which programs begin; nil where one may begin anywhere.
    static func names(of programs: [String]) -> Set<String>? {
        var names: Set<String> = []
        for program in programs {
            guard let path = JQPath(program) else { return nil }
            for case .steps(let steps) in path.alternatives {
                guard case .member(let name, _)? = steps.first else { return nil }
                names.insert(name)
            }
        }
        return names
    }

    /// The failure of an expression for the items, with what it failed on.
    static func explain(_ error: ContentError, of items: String?, in document: JSONNode) -> String {
        guard let items else { return error.description }
        let (culprit, finding) = (culprit(of: items, in: document), finding(items, in: document))
        // Where the path leads to nothing, the last place that is something says more.
        let sample = finding?.isNothing == true ? finding?.text ?? culprit : culprit ?? finding?.text
        return "\(shown(items)): \(error.description); " + (sample ?? "the document is \(document.shape)")
    }

    /// What the first item without a field's value has in place of it.
    static func sample(without program: String?, in item: JSONNode) -> String {
        guard let program, beginning(of: program)?.steps.count ?? 0 > 1, let finding = finding(program, in: item) else {
            return "the first is \(item.shape)"
        }
        return "in the first \(finding.text)"
    }

    /// The program, as sentences for the user name it.
    static func shown(_ program: String) -> String { "`\(PlainText.line(text: program, limit: 80))`" }

    /// Where the path ends that a program begins with, and where it is nothing the last place that is something; nil where
    /// it gets nowhere.
    private static func finding(_ program: String, in value: JSONNode) -> (text: String, isNothing: Bool)? {
        guard let steps = beginning(of: program)?.steps, !steps.isEmpty else { return nil }
        var last = (text: ".", shape: value.shape)
        for length in 1...steps.count {
            var found: (shape: String, isNull: Bool)?
            try? JQPath.walkFirst(steps[..<length], from: value) { found = ($0.shape, $0.kind == .null) }
            guard let found else { break }
            let text = JQPath.text(of: steps[..<length])
            if found.isNull { return ("`\(text)` is null, `\(last.text)` is \(last.shape)", true) }
            last = (text, found.shape)
        }
        return ("`\(last.text)` is \(last.shape)", false)
    }

    /// The first place that a program fails on, such as `.posts[1].list`, and what is there; nil where that is all of the
    /// value, or is not to be found out.
    static func culprit(of program: String, in value: JSONNode) -> String? {
        guard let (steps, rest) = beginning(of: program) else { return nil }
        var place = JQPath.firstFailure(steps[...], from: value)
        if place == nil, let rest {
            place = firstFailure(of: rest, on: program.prefix(upTo: rest.startIndex), in: value)
        }
        guard let place, !place.isEmpty else { return nil }
        var shape: String?
        try? JQPath.walkFirst(place[...], from: value) { shape = $0.shape }
        return shape.map { "`\(JQPath.text(of: place[...]))` is \($0)" }
    }

    /// The path that a program begins with, all of it or what stands before one of its `|`, and what comes then.
    private static func beginning(of program: String) -> (steps: [JQPath.Step], rest: Substring?)? {
        let pipes = program.indices.lazy.filter { program[$0] == "|" }.prefix(JQPathParser.mostSteps)
        let ends = [program.endIndex] + pipes.reversed()
        for end in ends {
            if let path = JQPath(String(program[..<end])), case .steps(let steps)? = path.alternatives.first {
                return (steps, end == program.endIndex ? nil : program[program.index(after: end)...])
            }
        }
        return nil
    }

    /// The first of a path's places from which the rest of the program fails.
    private static func firstFailure(of rest: Substring, on path: Substring, in value: JSONNode) -> [JQPath.Step]? {
        let text = "first(path(\(path) .) as $place | try (getpath($place) | [(\(rest)\n)] | empty) catch $place)"
        var place: [JQPath.Step]?
        try? JQProgram(text).run(on: value) { found throws(ContentError) in
            place = found.elements.compactMap { step in
                if let name = step.string { return .member(name, isOptional: false) }
                return step.number.map { .element(Int($0), isOptional: false) }
            }
            return false
        }
        return place
    }
}

extension JSONNode {
    /// Whether it is something that has none of some members. Null, and what is empty, may be so today.
    func names(noneOf names: Set<String>) -> Bool {
        switch kind {
        case .object: !members.isEmpty && !members.contains { names.contains($0.name) }
        case .null: false
        default: string != ""
        }
    }
}

extension JQPath {
    /// Hands the first value that steps lead to, if any, to `body`.
    static func walkFirst(
        _ steps: ArraySlice<Step>, from value: JSONNode, _ body: (JSONNode) -> Void
    ) throws(ContentError) {
        _ = try walk(steps, from: value) { value throws(ContentError) in
            body(value)
            return false
        }
    }

    /// The place of the first value that has no such step, with the number or name of each element on the way.
    static func firstFailure(_ steps: ArraySlice<Step>, from value: JSONNode) -> [Step]? {
        guard let step = steps.first else { return nil }
        let rest = steps.dropFirst()
        switch (step, value.kind) {
        case (.iterate, .array):
            for (index, element) in value.elements.enumerated() {
                if let place = firstFailure(rest, from: element) { return [.element(index, isOptional: false)] + place }
            }
        case (.iterate, .object):
            for (name, member) in value.members {
                if let place = firstFailure(rest, from: member) { return [.member(name, isOptional: false)] + place }
            }
        default:
            var next: JSONNode?
            do throws(ContentError) { try walkFirst([step], from: value) { next = $0 } } catch { return [] }
            if let next, let place = firstFailure(rest, from: next) { return [step] + place }
        }
        return nil
    }

    /// The program that steps were read from.
    static func text(of steps: ArraySlice<Step>) -> String {
        let text = steps.map { step in
            switch step {
            case .member(let name, _): isPlain(name) ? ".\(name)" : "[\"\(quoted(name))\"]"
            case .element(let index, _): "[\(index)]"
            case .iterate: "[]"
            }
        }.joined()
        return text.hasPrefix(".") ? text : "." + text
    }

    private static func isPlain(_ name: String) -> Bool {
        name.utf8.count <= longestName && name.utf8.first?.isASCIIDigit == false
            && name.utf8.allSatisfy { $0.isASCIILetter || $0.isASCIIDigit || $0 == 0x5F }
    }

    /// Of a name no more is told than a line holds.
    private static func quoted(_ name: String) -> String {
        PlainText.line(text: name, limit: longestName).replacing("\\", with: "\\\\").replacing("\"", with: "\\\"")
    }

    private static let longestName = 40
}
