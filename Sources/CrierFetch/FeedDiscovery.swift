import CrierContent
import CrierHTTP
import CrierNotifications

import protocol Foundation.LocalizedError

/// Finds the feed behind an address that a user typed: the address itself, or what its page names.
public struct FeedDiscovery: Sendable {
    /// What is to be followed.
    public struct Discovery: Sendable, Hashable {
        /// The feed's address.
        public var url: String
        /// Where that led, after redirects and without credentials.
        public var finalURL: String
        public var content: DecodedContent
        /// Other feeds that the page names.
        public var others: [FeedLink]
    }

    private let origin: OriginVisit

    public init(transport: any HTTPTransport, clock: any WallClock, userAgent: String) {
        origin = OriginVisit(transport: transport, clock: clock, userAgent: userAgent, environment: [:])
    }

    /// Reads the document at an address; where it is a page, the first feed that the page names and that can be read, of
    /// comments only where there is no other.
    ///
    /// - Throws: ``DiscoveryFailure``.
    public func discover(_ url: String, mapping: ContentMapping) async throws -> Discovery {
        let (document, isPrivate) = try await document(at: url, mapping, mayBePrivate: true)
        switch decoded(document, mapping) {
        case .success(let content):
            return Discovery(url: url, finalURL: document.url, content: content, others: [])
        case .failure(let failure):
            guard failure.kind == .notAFeed, mapping.format == nil else {
                throw DiscoveryFailure(failure.description)
            }
            let links = FeedLinks.find(in: document.body, url: document.url)
            if links.isEmpty { throw DiscoveryFailure(failure.description, isNoFeed: true) }
            // Some pages name them first, and many more than five.
            let inTurn = links.filter { !$0.isOfComments } + links.filter(\.isOfComments)
            return try await firstReadable(inTurn, mapping) {
                isPrivate && HostKey(url: $0) == HostKey(url: document.url)
            }
        }
    }

    /// - Parameter mayBePrivate: Whether an address that the page names may be in a private network: one of the page's own
    ///   host where the user's page is in one, and no other.
    private func firstReadable(
        _ links: [FeedLink], _ mapping: ContentMapping, mayBePrivate: (String) -> Bool
    ) async throws -> Discovery {
        var failed: [(url: String, reason: String)] = []
        var closed: Set<HostKey> = []
        for link in links.prefix(5) where !closed.contains(HostKey(url: link.url)) {
            do {
                let document = try await document(at: link.url, mapping, mayBePrivate: mayBePrivate(link.url)).document
                let content = try decoded(document, mapping).get()
                return Discovery(
                    url: link.url, finalURL: document.url, content: content, others: links.filter { $0 != link })
            } catch {
                failed.append((PlainText.cut(URLCredentials.removed(from: link.url), to: 200), "\(error)"))
                if let host = (error as? DiscoveryFailure)?.closedHost { closed.insert(host) }
            }
        }
        // By its address: the page itself can be read.
        guard let last = failed.last else { throw DiscoveryFailure("no feed of the page can be read") }
        let named = failed.count == 1 ? "the feed that it names" : "the last of \(failed.count) feeds that it names"
        throw DiscoveryFailure("\(named), \(last.url): \(last.reason)")
    }

    private func decoded(
        _ document: ContentDocument, _ mapping: ContentMapping
    ) -> Result<DecodedContent, ContentError> {
        Result { () throws(ContentError) in try ContentDecoder(mapping: mapping).decode(document) }
    }

    private func document(
        at url: String, _ mapping: ContentMapping, mayBePrivate: Bool
    ) async throws -> (document: ContentDocument, isPrivate: Bool) {
        let source = Source(name: "", address: .url(url), mapping: mapping)
        do {
            let answer = try await origin.visit(
                source, OriginQuestion(mayBePrivate: mayBePrivate, mayBePage: !mapping.isMapped))
            if let document = answer.document { return (document, answer.isFromPrivateAddress) }
        } catch {
            throw DiscoveryFailure(error)
        }
        throw DiscoveryFailure("the address gave no document")
    }
}

extension FeedLink {
    /// Whether its title or what stands behind its host says that it has what readers say.
    fileprivate var isOfComments: Bool {
        let texts = [title, CanonicalURL.withoutHost(url).map(String.init)].compactMap { $0?.lowercased() }
        return texts.contains { text in Self.wordsForComments.contains { text.contains($0) } }
    }

    private static let wordsForComments = ["comments", "commentaires", "kommentare", "comentarios"]
}

/// Why nothing could be found: one sentence for the user.
public struct DiscoveryFailure: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    public let description: String
    public var errorDescription: String? { description }
    /// Whether something was read that is no feed and names none.
    public let isNoFeed: Bool
    /// Whoever wants to be left alone (a limit of requests, 503).
    let closedHost: HostKey?

    init(_ description: String, isNoFeed: Bool = false) {
        self.description = description
        self.isNoFeed = isNoFeed
        closedHost = nil
    }

    fileprivate init(_ failure: SourceFailure) {
        description = failure.cause
        isNoFeed = false
        closedHost = failure.isOfLimit || failure.status == 503 ? failure.url.map(HostKey.init(url:)) : nil
    }
}
