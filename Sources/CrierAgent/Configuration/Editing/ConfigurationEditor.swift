import protocol Foundation.LocalizedError

/// One key of a source to write.
public struct SourceSetting: Sendable, Hashable {
    public enum Value: Sendable, Hashable {
        case text(String)
        case list([String])
        case mapping([SourceField])
    }

    /// One entry of a mapping such as `fields`.
    public struct SourceField: Sendable, Hashable {
        public var name: String
        public var expression: String

        public init(_ name: String, _ expression: String) {
            self.name = name
            self.expression = expression
        }
    }

    public var key: String
    public var value: Value

    public init(_ key: String, _ value: Value) {
        self.key = key
        self.value = value
    }
}

/// A source to write.
public struct SourceEntry: Sendable, Hashable {
    public var name: String
    public var settings: [SourceSetting]

    public init(_ name: String, _ settings: [SourceSetting]) {
        self.name = name
        self.settings = settings
    }
}

/// Where a source is named.
public struct SourceReference: Sendable, Hashable {
    /// The key, such as `digests.morning.sources`.
    public let path: String
    public let position: FilePosition
}

/// Why an edit was not made. The file is as it was; the user does it by hand.
public struct ConfigurationEditError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
    /// Whether there is no source of the name that was given.
    public let isUnknownName: Bool
    /// What names the source, and has to be changed first.
    public let references: [SourceReference]
    /// Where the mistake of the file stands that keeps it from being edited; nil where that is none.
    public let mistake: FilePosition?

    init(
        _ description: String, isUnknownName: Bool = false, references: [SourceReference] = [],
        mistake: FilePosition? = nil
    ) {
        self.description = description
        self.isUnknownName = isUnknownName
        self.references = references
        self.mistake = mistake
    }

    static func byHand(_ reason: String, mistake: FilePosition? = nil) -> ConfigurationEditError {
        ConfigurationEditError("\(reason); please edit the file by hand", mistake: mistake)
    }
}

/// Edits a configuration as text: comments, order, indentation, line ends and all the rest stay byte for byte.
public struct ConfigurationEditor: Sendable {
    private let text: String

    public init(text: String) {
        self.text = text
    }

    /// The names of the sources and what their `url` says, in file order, also of those with a mistake; those that merge keys bring
    /// come last.
    public func sources() throws(ConfigurationEditError) -> [(name: String, url: String?)] {
        try ConfigurationOutline(text).readSources()
    }

    /// The text with more sources, after the last one, in the order given.
    public func adding(_ entries: [SourceEntry]) throws(ConfigurationEditError) -> String {
        let outline = try ConfigurationOutline(text)
        var names = Set(outline.readSources().map(\.name))
        for name in entries.map(\.name) {
            guard OptionSections.isName(name) else {
                throw ConfigurationEditError("\(quoted(name)) cannot be a name: \(OptionSections.nameRule)")
            }
            guard names.insert(name).inserted else {
                throw ConfigurationEditError("there is already a source \(quoted(name))")
            }
        }
        var lines = outline.lines
        let place = try outline.placeForSource(in: &lines)
        let isSpaced = place.above == [""]
        var new: [String] = []
        for (index, entry) in entries.enumerated() {
            new += index == 0 ? place.above : isSpaced ? [""] : []
            new +=
                SourceLines(
                    name: entry.name, settings: entry.settings, indentation: place.indentation, step: place.step
                ).lines
        }
        lines.insert(new, at: place.line)
        let edited = lines.text
        let which = entries.count == 1 ? "the source \(quoted(entries[0].name))" : "the sources"
        guard edited.utf8.count <= ConfigurationDocument.maximumBytes else {
            throw ConfigurationEditError(
                "with \(which) the file would be longer than \(ConfigurationDocument.maximumBytes >> 20) MiB")
        }
        guard let after = try? ConfigurationOutline(edited).root,
            EditCheck(before: outline.root, after: after).hasAdded(entries)
        else {
            throw .byHand("\(which) cannot be added without changing something else")
        }
        return edited
    }

    /// The text without the lines of a source and the comment lines directly above them. It stays while a digest names it: what that
    /// should tell of instead is the user's to say.
    public func removing(source name: String) throws(ConfigurationEditError) -> String {
        let outline = try ConfigurationOutline(text)
        guard let index = outline.sources.firstIndex(where: { $0.name == name }) else {
            let names = outline.readSources().map(\.name)
            if names.contains(name) {
                throw .byHand("\(quoted(name)) stands elsewhere, and a merge key (<<) brings it here")
            }
            let hint = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
            throw ConfigurationEditError("no source is called \(quoted(name))\(hint)", isUnknownName: true)
        }
        let references = outline.references(toSource: name)
        guard references.isEmpty else {
            throw ConfigurationEditError("take \(quoted(name)) out there first", references: references)
        }
        let range = try outline.rangeOfSource(at: index)
        var reason = " without changing something else"
        for lines in outline.lines.removing(range) {
            let edited = lines.text
            if let failure = ConfigurationDocument(text: edited).failure {
                let line = failure.position.line + (failure.position.line > range.lowerBound ? range.count : 0)
                reason = ", as line \(line), column \(failure.position.column) would be wrong: \(failure.value.message)"
            }
            guard let after = try? ConfigurationOutline(edited).root,
                EditCheck(before: outline.root, after: after).hasRemoved(name)
            else { continue }
            return edited
        }
        throw .byHand("the source \(quoted(name)) cannot be removed\(reason)")
    }
}
