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
            if source.isUnique { request.addresses = part.addresses(of: source, besides: commonAddresses) }
            return request
        }
    }
}

extension Composition.Part {
    /// What it tells of, for ``Source/isUnique``. What has no address is nobody else's, nor is what has one on this machine, or half a one:
    /// a document that a program prints does not say where it is.
    ///
    /// - Parameter common: Those that tell of none of the source's items: what shares one is nobody else's either.
    func addresses(of source: Source, besides common: Set<String>) -> [String] {
        items.map { item in
            let shared = item.url.flatMap { url in
                URLComponents(string: url)?.scheme.map { $0.lowercased() == "file" } == false ? url : nil
            }.map(CanonicalURL.of)
            return shared.flatMap { common.contains($0) ? nil : $0 } ?? "\(source.name)/\(item.identifier)"
        }
    }
}

extension DecodedContent {
    /// The addresses that do not tell which of its items is meant: its home page, and what several of them share, as the episodes of a podcast
    /// and the entries of a log do. Copies of one item share its title, too.
    var commonAddresses: Set<String> {
        var common = Set(homeURL.map { [CanonicalURL.of($0)] } ?? [])
        var titles: [String: String?] = [:]
        for item in items {
            guard let address = item.url.map(CanonicalURL.of) else { continue }
            let title = item.title ?? item.summary
            if titles.updateValue(title, forKey: address).map({ $0 != title }) ?? false { common.insert(address) }
        }
        return common
    }
}
