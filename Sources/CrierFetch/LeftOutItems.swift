import CrierContent
import CrierStore
import Foundation

/// Those items of a document that were never told. What the conditions of its source leave out (`only`, `skip`, `rules`) is news when it
/// comes to meet them: a release was announced before, a report gets the number of its flaw. Not where they or the way of reading have been
/// edited: then it is they that have changed.
struct LeftOutItems {
    /// In the order in which they are told: new ones, and those that were left out before.
    let items: [ContentItem]
    /// By which conditions those were, by identifier.
    private let before: [String: [UInt8]]
    private let conditions: [UInt8]?
    private let isReadOtherwise: Bool

    init(
        besides new: [ContentItem], _ before: [String: [UInt8]], in all: [ContentItem], of source: Source,
        _ state: SourceState, _ now: Date
    ) {
        self.before = before
        conditions = Fingerprint.ofConditions(in: source)
        isReadOtherwise = state.fingerprint == nil
        if before.isEmpty {
            items = new
        } else {
            let untold = Set(new.map(\.identifier)).union(before.keys)
            items = NewItems.among(all, known: Set(all.map(\.identifier)).subtracting(untold), now: now)
        }
    }

    /// The identifiers of those that were left out before.
    var old: Set<String> { Set(before.keys) }

    /// Whether it is not known to have come to meet the conditions by itself.
    fileprivate func isLetIn(_ item: ContentItem) -> Bool {
        before[item.identifier].map { isReadOtherwise || $0 != conditions } ?? false
    }

    /// Whether nothing else is to be written of an item than what is stored.
    fileprivate func isStored(_ identifier: String, leftOut: Set<String>) -> Bool {
        before[identifier] == (leftOut.contains(identifier) ? conditions : nil)
    }
}

extension Findings {
    /// Takes note of what is still left out, now that all conditions have been judged.
    ///
    /// - Parameter all: The items of the document.
    mutating func settle(_ untold: LeftOutItems, in all: [ContentItem]) {
        leftOut = Set(untold.items.map(\.identifier)).subtracting(new.map(\.identifier))
        new.removeAll(where: untold.isLetIn)
        let told = Set(new.map(\.identifier))
        updated.removeAll { told.contains($0.identifier) }
        hasNews = hasNews || !new.isEmpty
        if wasLeftOut.isEmpty { return }
        for (place, item) in all.enumerated() where !untold.isStored(item.identifier, leftOut: leftOut) {
            unchanged?.remove(place)
        }
    }
}
