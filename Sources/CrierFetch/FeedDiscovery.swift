import CrierContent
import CrierHTTP
import CrierNotifications

/// Finds the feed behind an address that a user typed: the address itself, or what its page names.
public struct FeedDiscovery: Sendable {
    /// What is to be followed.
    public struct Discovery: Sendable, Hashable {
        /// The feed's address.
        public var url: String
        public var content: DecodedContent
        /// Other feeds that the page names.
        public var others: [FeedLink]
    }

    private let origin: OriginVisit

    public init(transport: any HTTPTransport, clock: any WallClock, userAgent: String) {
        origin = OriginVisit(transport: transport, clock: clock, userAgent: userAgent)
    }

    /// Reads the document at an address; where it is a page, the first feed that the page names and that can be read.
    ///
    /// - Throws: ``DiscoveryFailure``.
    public func discover(_ url: String, mapping: ContentMapping) async throws(DiscoveryFailure) -> Discovery {
        let document = try await document(at: url, mapping)
        do throws(ContentError) {
            return Discovery(url: url, content: try ContentDecoder(mapping: mapping).decode(document), others: [])
        } catch {
            guard error.kind == .notAFeed, mapping.format == nil else { throw DiscoveryFailure(error.description) }
            let links = FeedLinks.find(in: document.body, url: document.url)
            if links.isEmpty { throw DiscoveryFailure("\(error.description), and it names no feed") }
            return try await firstReadable(links, mapping)
        }
    }

    private func firstReadable(_ links: [FeedLink], _ mapping: ContentMapping) async throws(DiscoveryFailure)
        -> Discovery
    {
        var last = DiscoveryFailure("no feed of the page can be read")
        for link in links.prefix(5) {
            let document: ContentDocument
            do { document = try await self.document(at: link.url, mapping) } catch {
                last = error
                continue
            }
            do throws(ContentError) {
                let content = try ContentDecoder(mapping: mapping).decode(document)
                return Discovery(url: link.url, content: content, others: links.filter { $0 != link })
            } catch {
                last = DiscoveryFailure(error.description)
            }
        }
        throw last
    }

    private func document(at url: String, _ mapping: ContentMapping) async throws(DiscoveryFailure) -> ContentDocument {
        let source = Source(name: "", address: .url(url), mapping: mapping)
        do throws(VisitFailure) {
            guard let document = try await origin.visit(source, with: HTTPValidators()).document else {
                throw VisitFailure(cause: "the address gave no document")
            }
            return document
        } catch {
            throw DiscoveryFailure(error.cause)
        }
    }
}

/// Why nothing could be found: one sentence for the user.
public struct DiscoveryFailure: Error, Sendable, Hashable, CustomStringConvertible {
    public let description: String

    init(_ description: String) {
        self.description = description
    }
}
