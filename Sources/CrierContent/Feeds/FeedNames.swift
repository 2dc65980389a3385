/// What the names of one pass mean. A name is looked up as text once; from then on its pointers tell.
struct FeedNames {
    private struct Slot {
        var local: UInt = 0
        var space: UInt = 0
        var element = FeedElement.unknown
    }

    private var slots = [Slot](repeating: Slot(), count: 256)
    /// What the last name that was looked up as text is of: most are of few namespaces.
    private var last: (uri: UnsafePointer<UInt8>?, prefix: UnsafePointer<UInt8>?, namespace: FeedNamespace)?

    /// How many slots a name may go to; where all are taken, it takes the first.
    private static let reach = 8

    /// The meaning of `name`.
    mutating func element(_ name: XMLName) -> FeedElement {
        let local = UInt(bitPattern: name.local)
        let space = UInt(bitPattern: name.uri ?? name.prefix)
        // Fibonacci hashing: the upper eight bits of the product depend on all bits of both.
        let home = Int(((local &* 31 &+ space) &* 0x9E37_79B9_7F4A_7C15) >> 56)
        var index = home
        for step in 0..<FeedNames.reach {
            let slot = slots[(home + step) & 0xFF]
            if slot.local == local, slot.space == space { return slot.element }
            if slot.local == 0 {
                index = (home + step) & 0xFF
                break
            }
        }
        let element = FeedElement.of(namespace(of: name), String(utf8: name.local).lowercased())
        slots[index] = Slot(local: local, space: space, element: element)
        return element
    }

    private mutating func namespace(of name: XMLName) -> FeedNamespace {
        if let last, last.uri == name.uri, last.prefix == name.prefix { return last.namespace }
        let namespace = FeedNamespace(
            uri: name.uri.map { String(utf8: $0) }, prefix: name.prefix.map { String(utf8: $0) })
        last = (name.uri, name.prefix, namespace)
        return namespace
    }
}
