import CrierContent
import CrierStore
import Foundation

extension Composition {
    /// What is raised of a source, where it goes, what takes another's place, and what it tells of.
    func requests(of source: Source) -> [FetchCommit.Request] {
        parts.map { part in
            var request = FetchCommit.Request(part.request)
            request.sinks = part.sinks
            if part.isReplacing { request.replacedItem = part.items.first?.identifier }
            request.isNumbered = isDayFree
            request.isLate = part.isLate
            if source.isUnique { request.addresses = part.addresses(of: source) }
            return request
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
