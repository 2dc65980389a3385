/// One key of a mapping, its value, and where the key stands.
struct Entry {
    var key: String
    var position: FilePosition
    var value: YAMLNode
}

/// A mapping with merge keys (`<<`) followed.
struct Section {
    /// Where problems about something missing are told.
    var position: FilePosition
    /// In file order; merged ones last.
    var entries: [Entry] = []
    /// Keys that are known but not read as options.
    var otherKeys: [String] = []
}

extension YAMLNode {
    /// `key:` with nothing after it, or `~` or `null`.
    var isNothing: Bool {
        isPlain && (says("") || says("~") || says("null") || says("Null") || says("NULL"))
    }

    /// For problem texts.
    var kindInWords: String {
        if mapping != nil { return "a mapping" }
        if isScalar { return isNothing ? "nothing" : "a single value" }
        return "a list"
    }
}

extension ConfigurationReader {
    /// The entries of a node that should be a mapping. Nothing at all counts as an empty one.
    mutating func section(_ node: YAMLNode?, key: FilePosition?, path: String, expected: String) -> Section {
        var section = Section(position: key ?? node?.position ?? FilePosition(line: 1, column: 1))
        guard let node, !node.isNothing else { return section }
        guard let mapping = node.mapping else {
            let other = ValueComplaint("\(node.kindInWords) where a mapping should be", expected: expected)
            let tight = node.isPlain ? node.text.flatMap(ValueComplaint.init(ofTightColonIn:)) : nil
            report(tight ?? other, at: node.position, path: path)
            return section
        }
        append(mapping, to: &section, path: path)
        return section
    }

    /// Keys that are there already stand before merged ones (YAML merge key type).
    private mutating func append(_ mapping: YAMLMapping, to section: inout Section, path: String) {
        var merged: [YAMLNode] = []
        section.entries.reserveCapacity(section.entries.count + mapping.count)
        // A mapping by itself has each key once.
        for (key, value) in mapping {
            guard visit(key) else { return }
            if key.isPlain, key.says("<<") {
                merged += value.elements
            } else {
                section.entries.append(Entry(key: key.text ?? "", position: key.position, value: value))
            }
        }
        guard !merged.isEmpty else { return }
        var keys = Set(section.entries.map(\.key))
        for node in merged {
            guard visit(node) else { return }
            guard let mapping = node.mapping else {
                report(
                    ValueComplaint("\(node.kindInWords) after <<", expected: "an alias of a mapping"),
                    at: node.position, path: path)
                continue
            }
            var inner = Section(position: node.position)
            append(mapping, to: &inner, path: path)
            section.entries += inner.entries.filter { keys.insert($0.key).inserted }
        }
    }
}
