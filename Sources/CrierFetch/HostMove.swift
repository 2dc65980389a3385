import Foundation

/// From which host an item has moved to which.
struct HostMove: Hashable {
    let from: String?
    let to: String?

    init(from: String?, to: String?) {
        func host(_ url: String) -> String? { URLComponents(string: CanonicalURL.of(url))?.host }
        (self.from, self.to) = (from.flatMap(host), to.flatMap(host))
    }

    var isNone: Bool { from == to }
}
