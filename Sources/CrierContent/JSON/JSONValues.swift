/// Values that follow each other in a ``JSONDocument``.
package struct JSONValues: Sequence, IteratorProtocol {
    private let document: JSONDocument
    private var indices: Range<Int>

    /// - Parameter indices: on the tape.
    init(document: JSONDocument, indices: Range<Int>) {
        self.document = document
        self.indices = indices
    }

    package mutating func next() -> JSONNode? { nextIndex().map { JSONNode(document: document, index: $0) } }

    /// Where the next value is on the tape.
    mutating func nextIndex() -> Int? {
        guard let index = indices.first else { return nil }
        let entry = document.tape[index]
        indices = (entry.isContainer ? entry.extent : index + 1)..<indices.upperBound
        return index
    }
}
