import CLibXML2

extension XPathDocument {
    /// Whether the element that holds the last item with those before it is still open at the end of the page, or ends with it:
    /// only then may there be more of the item, in itself or beside it.
    func isAtEnd(listOf items: [xmlNodePtr]) -> Bool {
        guard let last = items.last else { return false }
        var before: Set<xmlNodePtr> = []
        if items.count > 1 {
            var node: xmlNodePtr? = items[items.count - 2]
            while let current = node {
                before.insert(current)
                node = current.pointee.parent
            }
        }
        var list = last.pointee.parent
        while let current = list, !before.isEmpty, !before.contains(current) { list = current.pointee.parent }
        while let current = list, current != root {
            if current.pointee.next != nil { return false }
            list = current.pointee.parent
        }
        return true
    }
}
