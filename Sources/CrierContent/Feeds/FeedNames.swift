/// A name as libxml2 gives it: interned, so that equal names are equal pointers for the time of one pass.
struct XMLName {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let uri: UnsafePointer<UInt8>?
}

/// What the names of one pass mean. A name is looked up as text once; from then on its pointers tell.
struct FeedNames {
    private struct Slot {
        var local = 0
        var space = 0
        var element = FeedElement.unknown
    }

    private static let size = 256
    private var slots = [Slot](repeating: Slot(), count: size)

    /// The meaning of `name`. Two names that meet in one slot take turns in it.
    mutating func element(_ name: XMLName) -> FeedElement {
        let local = Int(bitPattern: name.local)
        let space = Int(bitPattern: name.uri ?? name.prefix)
        // Bits above the alignment of the dictionary's strings.
        let index = ((local >> 3) ^ (local >> 11) ^ (space >> 4)) & (FeedNames.size - 1)
        let slot = slots[index]
        if slot.local == local, slot.space == space { return slot.element }
        let namespace = FeedNamespace(
            uri: name.uri.map { String(cString: $0) }, prefix: name.prefix.map { String(cString: $0) })
        let element = FeedElement.of(namespace, String(cString: name.local).lowercased())
        slots[index] = Slot(local: local, space: space, element: element)
        return element
    }
}
