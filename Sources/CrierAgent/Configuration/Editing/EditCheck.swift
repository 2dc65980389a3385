/// Compares a configuration before and after an edit: only the sources that were meant may differ.
struct EditCheck {
    private let before: [(key: String, value: YAMLNode)]
    private let after: [(key: String, value: YAMLNode)]
    private let sourcesBefore: [(key: String, value: YAMLNode)]
    private let sourcesAfter: [(key: String, value: YAMLNode)]

    init(before: YAMLNode?, after: YAMLNode) {
        (self.before, sourcesBefore) = Self.split(before)
        (self.after, sourcesAfter) = Self.split(after)
    }

    func hasAdded(_ entries: [SourceEntry]) -> Bool {
        let added = sourcesAfter.suffix(entries.count)
        return added.count == entries.count
            && zip(added, entries).allSatisfy { $0.key == $1.name && isExactly($0.value, $1.settings) }
            && isSame(sourcesBefore, Array(sourcesAfter.dropLast(entries.count))) && isSame(before, after)
    }

    func hasRemoved(_ name: String) -> Bool {
        isSame(sourcesBefore.filter { $0.key != name }, sourcesAfter) && isSame(before, after)
    }

    /// The top level without `sources`, and the sources.
    private static func split(_ root: YAMLNode?) -> (
        top: [(key: String, value: YAMLNode)], sources: [(key: String, value: YAMLNode)]
    ) {
        let top = entries(root)
        return (top.filter { $0.key != "sources" }, entries(top.first { $0.key == "sources" }?.value))
    }

    private static func entries(_ node: YAMLNode?) -> [(key: String, value: YAMLNode)] {
        node?.mapping?.map { ($0.key.text ?? "", $0.value) } ?? []
    }

    private func isSame(_ one: [(key: String, value: YAMLNode)], _ other: [(key: String, value: YAMLNode)]) -> Bool {
        var seen: Set<Pair> = []
        return one.count == other.count
            && zip(one, other).allSatisfy { $0.key == $1.key && isSame($0.value, $1.value, &seen) }
    }

    /// - Parameter seen: Aliases of aliases can stand for more nodes than can ever be compared: each two are compared once.
    private func isSame(_ one: YAMLNode, _ other: YAMLNode, _ seen: inout Set<Pair>) -> Bool {
        if one.isScalar { return one.isSameScalar(as: other) }
        guard seen.insert(Pair(before: one.index, after: other.index)).inserted else { return true }
        if let one = one.mapping, let other = other.mapping {
            return one.count == other.count
                && zip(one, other).allSatisfy { isSame($0.key, $1.key, &seen) && isSame($0.value, $1.value, &seen) }
        }
        guard let one = one.sequence, let other = other.sequence else { return false }
        return one.count == other.count && zip(one, other).allSatisfy { isSame($0, $1, &seen) }
    }

    private struct Pair: Hashable {
        let before: Int
        let after: Int
    }

    /// Whether what was written is read as what was meant.
    private func isExactly(_ node: YAMLNode, _ settings: [SourceSetting]) -> Bool {
        let entries = Self.entries(node)
        return entries.count == settings.count
            && zip(entries, settings).allSatisfy { entry, setting in
                guard entry.key == setting.key else { return false }
                switch setting.value {
                case .text(let text): return entry.value.text == text
                case .list(let texts): return entry.value.sequence?.map { $0.text ?? "" } == texts
                case .mapping(let fields):
                    let read = Self.entries(entry.value)
                    return read.map(\.key) == fields.map(\.name)
                        && read.map { $0.value.text } == fields.map(\.expression)
                }
            }
    }
}
