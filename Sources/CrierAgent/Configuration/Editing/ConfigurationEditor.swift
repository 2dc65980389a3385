import Yams

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

/// Why an edit was not made. The file is as it was; the user does it by hand.
public struct ConfigurationEditError: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }

    static func byHand(_ reason: String) -> ConfigurationEditError {
        ConfigurationEditError("\(reason); please edit the file by hand")
    }
}

/// Edits a configuration as text: comments, order, indentation, line ends and all the rest stay byte for byte.
public struct ConfigurationEditor: Sendable {
    private let text: String

    public init(text: String) {
        self.text = text
    }

    /// The text with one more source, after the last one.
    public func adding(
        source name: String, settings: [SourceSetting]
    ) throws(ConfigurationEditError) -> String {
        guard OptionSections.isName(name) else { throw ConfigurationEditError("\(quoted(name)) cannot be a name") }
        let outline = try ConfigurationOutline(text)
        guard !outline.sources.contains(where: { $0.name == name }) else {
            throw ConfigurationEditError("there is already a source \(quoted(name))")
        }
        var lines = outline.lines
        let place = try outline.placeForSource(in: &lines)
        let entry = SourceLines(name: name, settings: settings, indentation: place.indentation, step: place.step)
        lines.insert(place.above + entry.lines, at: place.line)
        let edited = lines.text
        guard let after = try? ConfigurationOutline(edited).root,
            EditCheck(before: outline.root, after: after).hasAdded(name, settings: settings)
        else { throw .byHand("the source \(quoted(name)) cannot be added without changing something else") }
        return edited
    }

    /// The text without the lines of a source and the comment lines directly above them.
    public func removing(source name: String) throws(ConfigurationEditError) -> String {
        let outline = try ConfigurationOutline(text)
        guard let index = outline.sources.firstIndex(where: { $0.name == name }) else {
            let names = outline.sources.map(\.name)
            let hint = nearest(to: name, among: names).map { "; did you mean \(quoted($0))?" } ?? ""
            throw ConfigurationEditError("there is no source \(quoted(name))\(hint)")
        }
        for lines in outline.lines.removing(try outline.rangeOfSource(at: index)) {
            let edited = lines.text
            guard let after = try? ConfigurationOutline(edited).root,
                EditCheck(before: outline.root, after: after).hasRemoved(name)
            else { continue }
            return edited
        }
        throw .byHand("the source \(quoted(name)) cannot be removed without changing something else")
    }
}
