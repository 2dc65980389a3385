extension ConfigurationReader {
    /// Notes texts that are one tag and look like several, or like one in quotes. In a list, quotes say that it is meant so.
    mutating func noteTagSlips(_ node: YAMLNode?, path: String) {
        guard let node else { return }
        for element in node.elements where element.isPlain || node.isScalar {
            guard let slip = element.text.flatMap(Self.slip(inTag:)) else { continue }
            note(slip, at: element.position, path: "\(path).tags")
        }
    }

    static func slip(inTag tag: String) -> ValueComplaint? {
        if let first = tag.unicodeScalars.first, "“”„‘’‚«»".unicodeScalars.contains(first) {
            return ValueComplaint("\(quoted(tag)) is a tag with these quotes in it", expected: "' or \", or no quotes")
        }
        guard tag.hasPrefix("-") || tag.unicodeScalars.contains(where: { ",，、[]".unicodeScalars.contains($0) }) else {
            return nil
        }
        return ValueComplaint("\(quoted(tag)) is one tag", expected: "a list such as [news, tech]")
    }
}
