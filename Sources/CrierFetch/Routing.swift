import CrierContent
import CrierStore
import Foundation

extension FetchCommit {
    /// Where the notifications of a composition go, which of them take another's place, and what they tell of.
    mutating func tell(_ composition: Composition, of source: Source) {
        for part in composition.parts {
            let identifier = part.request.identifier
            if let sinks = part.sinks { routes[identifier] = sinks }
            if part.isReplacing { replacements[identifier] = part.items.first?.identifier }
            if composition.isDayFree { numbered.insert(identifier) }
            if part.isLate { late.insert(identifier) }
            if source.isUnique { addresses[identifier] = part.addresses(of: source) }
        }
    }
}

extension Composition.Part {
    /// What it tells of, for ``Source/isUnique``. What has no address is nobody else's, nor is what has one on this machine, or half a one:
    /// a document that a program prints does not say where it is.
    func addresses(of source: Source) -> [String] {
        items.map { item in
            let shared = item.url.flatMap { url in
                URLComponents(string: url)?.scheme.map { $0.lowercased() == "file" } == false ? url : nil
            }
            return shared.map(CanonicalURL.of) ?? "\(source.name)/\(item.identifier)"
        }
    }
}
