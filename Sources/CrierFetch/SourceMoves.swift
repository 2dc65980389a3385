import CrierContent
import CrierHTTP
import CrierStore
import Foundation

/// Permanent redirects (RFC 9110 §15.4.2, §15.4.9): followed at once, adopted after three sightings a day apart, with a
/// document of the same kind. The configuration stays the user's: what was adopted is kept in the state.
extension SourceState {
    private static let timeBetweenSightings = 86_400.0
    /// So many failures in a row at an adopted address lead back to the configured one.
    private static let failuresToReturn = 3

    /// The address that is visited instead of the configured one; nil where that is visited.
    public func adoptedURL(of source: Source) -> String? {
        guard let move, move.configured == source.movableURL else { return nil }
        return move.adopted
    }

    /// Where the feed says that it wants to be read, where that is elsewhere. It is told and not followed: unlike a redirect it may stand in a
    /// feed that is read on, copied or forgotten there.
    public func announcedURL(of source: Source) -> String? {
        guard case .url(let configured) = source.address, visited == source.fingerprint,
            let address = wishes.hints.newAddress, address.utf8.count <= ContentBounds.url
        else { return nil }
        let known = [configured, lastURL, adoptedURL(of: source)].compactMap(\.self).map(CanonicalURL.ofAllSpellings)
        return known.contains(CanonicalURL.ofAllSpellings(address)) ? nil : URLCredentials.removed(from: address)
    }

    /// The host that is visited; nil on this machine.
    public func visitedHost(of source: Source) -> String? { HostKey(source, adopted: adoptedURL(of: source)).ofOthers }

    /// The address to which the last visit led; nil where that was another address's.
    public func answeringURL(of source: Source) -> String? {
        (fingerprint ?? visited) == source.fingerprint ? lastURL : nil
    }

    /// The host of ``answeringURL(of:)``.
    func answeringHost(of source: Source) -> HostKey? { answeringURL(of: source).map(source.host(of:)) }

    /// What was learned about the end, the move, the failures or the wishes of another address says nothing about this one, and
    /// neither does the kind of a document that was read in another way.
    mutating func becomeCurrent(for source: Source) {
        if let configured = move?.configured, configured != source.movableURL { move = nil }
        guard visited != source.fingerprint else { return }
        goneSince = nil
        family = nil
        (failures, failingSince, failureTold, possibleCauses) = (0, nil, nil, nil)
        wishes = wishes(for: source)
        move?.forgetSightings()
    }

    /// Those that were told to what the source is now. That a host wants to be left alone holds however it is read.
    func wishes(for source: Source) -> OriginWishes {
        if visited == source.fingerprint { return wishes }
        var kept = OriginWishes()
        if host != nil, host == visitedHost(of: source) { kept.refusedUntil = wishes.refusedUntil }
        return kept
    }

    /// Takes note of where a visit that was read led to. Gives the address if it has just been adopted.
    ///
    /// - Parameters:
    ///   - target: The end of the permanent redirects, before any temporary one; nil without one. One that is longer than any address
    ///     that is kept (``ContentBounds/url``) is not adopted.
    ///   - kind: Of the document; nil where it has not changed.
    mutating func sight(
        moveTo target: String?, _ kind: ContentFormat?, of source: Source, at now: Date
    ) -> String? {
        let before = family
        family = kind?.family ?? before
        let target = target.flatMap { $0.utf8.count <= ContentBounds.url ? $0 : nil }
        guard target != nil || move != nil, let configured = source.movableURL else { return nil }
        var seen = move ?? SourceMove(configured: configured)
        defer { move = seen.adopted == nil && seen.target == nil ? nil : seen }
        guard let target else {
            seen.forgetSightings()
            return nil
        }
        if seen.target == nil { seen.family = before ?? family }
        if seen.target != target {
            seen.target = target
            seen.sightings = 0
            seen.lastSighting = nil
        }
        guard family == seen.family else {
            seen.sightings = 0
            seen.lastSighting = nil
            return nil
        }
        if let last = seen.lastSighting, last <= now, now.timeIntervalSince(last) < Self.timeBetweenSightings {
            return nil
        }
        seen.sightings += 1
        seen.lastSighting = now
        guard seen.sightings >= SourceMove.sightingsToAdopt else { return nil }
        seen.forgetSightings()
        let isBack = target == configured
        seen.adopted = isBack ? nil : target
        seen.adoptedOn = isBack ? nil : now
        return seen.adopted
    }

    /// An adopted address that does not hold what it promised is given up: the next visit goes to the configured one.
    mutating func returnIfLost(after status: Int?) {
        guard move?.adopted != nil, status == 404 || status == 410 || failures >= Self.failuresToReturn else { return }
        move = nil
        // They are another address's.
        forgetDocument()
    }
}

extension SourceMove {
    /// How often a redirect must be seen to be adopted.
    public static let sightingsToAdopt = 3

    fileprivate mutating func forgetSightings() {
        target = nil
        family = nil
        sightings = 0
        lastSighting = nil
    }
}

extension Source {
    /// The address, where a permanent redirect of it may be adopted. What carries secrets, or may, is not: they would be sent to
    /// wherever the redirect leads, or be missing there.
    var movableURL: String? {
        guard case .url(let url) = address, URLCredentials.removed(from: url) == url,
            self.request.authorization == nil, self.request.fields.isEmpty, self.request.body == nil,
            self.request.secrets.isEmpty
        else { return nil }
        return url
    }
}

extension ContentFormat {
    /// Formats that take each other's place without the content being another.
    fileprivate var family: String {
        switch self {
        case .rss, .atom, .rdf: "feed"
        case .json, .jsonFeed: "json"
        case .html: "html"
        case .xml: "xml"
        }
    }
}
