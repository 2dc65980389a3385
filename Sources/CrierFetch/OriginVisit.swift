import CrierContent
import CrierHTTP
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation

/// What an origin is asked at one visit, beyond what the source says.
struct OriginQuestion: Sendable {
    /// The address that a permanent redirect gave in place of the configured one.
    var adopted: String?
    /// Whose document the origin need not send; empty: it is wanted in any case.
    var validators = HTTPValidators()
    /// Whether their entity tag is sent as ``HTTPValidators/unmarked``.
    var unmarksTag = false
    /// The address that gave the validators; nil: that which is visited.
    var givenBy: String?
    /// Whether a redirect that asked to be waited for has been.
    var hasWaited = false
    /// Whether the address may be in a private network, since the user has written it.
    var mayBePrivate = true
    /// Whether a page will do, of which a feed is sought; else the document is what the source reads.
    var mayBePage = false
}

/// What an origin said at one visit.
struct OriginAnswer: Sendable {
    /// A success with a document, mostly 200, or 304; a program that ran counts as 200.
    var status: Int
    /// The address that answered, without credentials; nil for a program.
    var url: String?
    /// Where permanent redirects led, as far as no temporary one came before; nil without one.
    var movedTo: String?
    /// Nil when nothing has changed.
    var document: ContentDocument?
    var validators: HTTPValidators
    /// Whether that which answered was asked if anything has changed.
    var isOfCondition = false
    /// How long it may be kept.
    var lifetime: CacheLifetime?
    /// Whether it is a 304 that says nothing of that, so that what was said before holds.
    var keepsLifetime = false
    /// Whether it came from a private network.
    var isFromPrivateAddress = false
    /// What its document may repeat, and nobody else is to read.
    var secrets = SentSecrets()

    /// Whether it may be the machine's own network that has answered what cannot be read, in the origin's place.
    ///
    /// - Parameter adopted: The address that was visited in place of the source's own, if one was.
    func mayBeOfNetwork(in source: Source, adopted: String?) -> Bool {
        guard let document, source.mapping.format != .html, case .url(let own) = source.address else { return false }
        let url = adopted ?? own
        return HostKey(url: url).liesBeyond && HTTPResponse.isPageOfStranger(document.body, from: url)
    }
}

/// Goes to a source's origin once: a conditional request, a file, or a program.
struct OriginVisit: Sendable {
    let transport: any HTTPTransport
    let clock: any WallClock
    let userAgent: String
    /// Where secrets and the home folder are found.
    let environment: [String: String]

    /// - Parameter beforeRedirect: Called with each redirect's URL before it is followed, and waited for.
    func visit(
        _ source: Source, _ question: OriginQuestion, beforeRedirect: RedirectObserver = { _ in }
    ) async throws(SourceFailure) -> OriginAnswer {
        switch source.address {
        case .command(let command): return try await run(command)
        case .url(let configured):
            var asked = (all: HTTPFields(), secrets: SentSecrets())
            // Nearly always there is nothing to look up.
            if !source.request.isPlain {
                do { asked = try await source.request.fields(besides: configured, environment: environment) } catch {
                    throw SourceFailure(cause: "\(error)")
                }
            }
            return try await send(
                request(configured, of: source, asked, question), asked.secrets, question, beforeRedirect)
        }
    }

    private func run(_ command: [String]) async throws(SourceFailure) -> OriginAnswer {
        do throws(ProgramFailure) {
            let limits = HTTPLimits.polling
            let output = try await BoundedProgram(command).output(limit: limits.total, outputLimit: limits.bodyBytes)
            return OriginAnswer(
                status: 200, document: ContentDocument(body: output, url: ""), validators: HTTPValidators())
        } catch {
            throw SourceFailure(cause: error.description)
        }
    }

    /// - Parameter asked: The fields that the source asks for, and what secrets it sends.
    @inline(never)
    private func request(
        _ configured: String, of source: Source, _ asked: (all: HTTPFields, secrets: SentSecrets),
        _ question: OriginQuestion
    ) -> HTTPRequest {
        // The configuration is the user's word, also for an address at home; a redirect is not.
        let isAtHome = question.adopted.map { HostKey(url: $0) == source.host } ?? true
        let own: HTTPFields = ["User-Agent": userAgent, "Accept": accept(source.mapping.format, question)]
        var request = HTTPRequest(
            url: question.adopted ?? asked.secrets.filled(configured), fields: own, publicFields: own,
            waitsForRedirects: question.hasWaited ? nil : clock.now,
            mayVisitPrivateAddresses: question.mayBePrivate && isAtHome)
        source.request.apply(to: &request, asked.all, environment: environment)
        let validators = question.validators(of: request.method)
        (question.unmarksTag ? validators.unmarked ?? validators : validators)
            .apply(to: &request, givenBy: question.givenBy.map(asked.secrets.filled))
        return request
    }

    private func send(
        _ request: HTTPRequest, _ secrets: SentSecrets, _ question: OriginQuestion, _ beforeRedirect: RedirectObserver
    ) async throws(SourceFailure) -> OriginAnswer {
        let response: HTTPResponse
        do throws(HTTPError) {
            response = try await transport.send(request, beforeRedirect: beforeRedirect)
        } catch {
            throw SourceFailure(
                cause: secrets.hidden(in: error.description),
                url: secrets.shown(URLCredentials.removed(from: request.url)),
                suspectsNetwork: error.suspectsNetwork(of: request.url), meetsSomebody: error.kind == .tls,
                hasReachedHost: error.hasReachedHost,
                isCancelled: error.kind == .cancelled)
        }
        // By https nobody but the origin can say it.
        let mayBeOfNetwork = response.url.prefix(5).lowercased() == "http:" && !HostKey(url: request.url).isLocal
        if response.status == HTTPStatus.ofNetwork, mayBeOfNetwork {
            throw SourceFailure(
                cause: HTTPStatus.words(response.status) + ": this network wants a login first",
                url: secrets.shown(URLCredentials.removed(from: request.url)), suspectsNetwork: true,
                meetsNetwork: true,
                meetsSomebody: true)
        }
        return try read(response, to: request, secrets, with: question.validators(of: request.method))
    }

    @inline(never)
    private func read(
        _ response: HTTPResponse, to request: HTTPRequest, _ secrets: SentSecrets, with validators: HTTPValidators
    ) throws(SourceFailure) -> OriginAnswer {
        let now = clock.now
        let freshness = Freshness(status: response.status, fields: response.fields, now: now)
        let lifetime = freshness.map { CacheLifetime(seconds: $0.lifetime.components.seconds, field: $0.field) }
        let url = secrets.shown(response.url)
        let movedTo = (response.redirects.prefix { $0.isPermanent }.last?.to).map(secrets.shown)
        let isConditional = !validators.isEmpty && request.isConditional(at: response)
        switch response.status {
        case 304 where !isConditional:
            throw SourceFailure(
                cause: "HTTP status 304, not modified, to a request without conditions", status: 304, url: url)
        case 304:
            return OriginAnswer(
                status: 304, url: url, movedTo: movedTo, document: nil,
                validators: validators.merging(notModified: response.fields, now: now), isOfCondition: true,
                lifetime: lifetime, keepsLifetime: !Freshness.isTold(by: response.fields))
        case let status where HTTPStatus.isWhole(status) && (status == 200 || !response.body.isEmpty):
            // What is linked relative to it would lead nowhere from an address with marks.
            let document = ContentDocument(
                body: response.body, url: response.url, contentType: response.fields["Content-Type"])
            return OriginAnswer(
                status: status, url: url, movedTo: movedTo, document: document,
                validators: HTTPValidators(from: response.fields, now: now), isOfCondition: isConditional,
                lifetime: lifetime, isFromPrivateAddress: response.isFromPrivateAddress, secrets: secrets)
        default:
            let limit = RequestLimit(status: response.status, fields: response.fields, now: now)
            let isRedirect = HTTPRedirect.isStatus(response.status)
            let wait = isRedirect ? limit.wait.flatMap { $0 > .zero ? $0 : nil } : nil
            let words = isRedirect ? nil : ReportedError.words(in: response.body).map { secrets.hidden(in: $0) }
            throw SourceFailure(
                cause: HTTPStatus.words(response.status)
                    + (wait.map { ", and not to be followed before \($0.words) have passed" }
                        ?? (isRedirect ? ", without saying where to" : ""))
                    + (Self.strangerThatWantsMore(response, to: request).map {
                        ", by \($0.origin), where a redirect leads and no \($0.wish) go"
                            + ($0.isItself ? ": give that address" : "")
                    } ?? "")
                    + (limit.isReached && response.status != 429 ? ", as it was asked too often" : "")
                    + (words.map { "; it says: " + $0 } ?? ""),
                status: response.status, url: url,
                isGone: response.status == 410 && response.redirects.allSatisfy(\.isPermanent),
                retryAfter: limit.wait, isOfLimit: limit.isReached)
        }
    }

    /// Where a redirect leads that answers 401, 403 or 406: it was sent nothing of what the source has for its own origin (RFC 9110 §15.4),
    /// which https at the same host is not.
    private static func strangerThatWantsMore(
        _ response: HTTPResponse, to request: HTTPRequest
    ) -> (origin: String, wish: String, isItself: Bool)? {
        guard [401, 403, 406].contains(response.status), !response.redirects.isEmpty else { return nil }
        let wish: String
        if response.status != 406, request.hasSecrets {
            wish = "credentials"
        } else if response.status != 401, request.keepsFields {
            wish = "header fields of the source"
        } else {
            return nil
        }
        let host = HostKey(url: response.url)
        if host != HostKey(url: request.url) { return (host.name, wish, false) }
        func isSecure(_ url: String) -> Bool { url.prefix(6).lowercased() == "https:" }
        return isSecure(response.url) == isSecure(request.url) ? nil : ("https://" + host.name, wish, true)
    }

    private func accept(_ format: ContentFormat?, _ question: OriginQuestion) -> String {
        switch format {
        // Before what an API has at the same address, which names no feed.
        case nil where question.mayBePage:
            """
            application/atom+xml, application/rss+xml, application/feed+json, text/html;q=0.9, application/*;q=0.8, \
            text/xml;q=0.8, */*;q=0.1
            """
        case .json: "application/json, */*;q=0.1"
        case .html: "text/html, application/xhtml+xml, */*;q=0.1"
        case .xml: "application/xml, text/xml, */*;q=0.1"
        case .jsonFeed: "application/feed+json, application/json;q=0.9, */*;q=0.1"
        case .rss, .atom, .rdf, nil:
            """
            application/atom+xml, application/rss+xml, application/feed+json, application/*;q=0.8, text/xml;q=0.8, \
            */*;q=0.1
            """
        }
    }
}

extension OriginQuestion {
    /// "Has it changed?" can be asked of a representation, not of what a POST does (RFC 9110 §13.1).
    fileprivate func validators(of method: String) -> HTTPValidators {
        SourceRequest.isConditional(method) ? validators : HTTPValidators()
    }
}

extension SourceRequest {
    fileprivate static func isConditional(_ method: String) -> Bool { method == "GET" || method == "QUERY" }

    /// Whether it can be asked if anything has changed.
    var isConditional: Bool { Self.isConditional(sentMethod) }
}

extension HTTPRequest {
    /// Whether the address that answered was asked with the validators.
    fileprivate func isConditional(at response: HTTPResponse) -> Bool {
        conditionalURL.map { $0 == response.url } ?? response.redirects.isEmpty
    }
}

extension HTTPError {
    /// No address or no connection, from the first host on, and not on this machine; or no secure one, as where a network that wants
    /// a login answers in the host's place, which none does at home.
    fileprivate func suspectsNetwork(of url: String) -> Bool {
        guard !hasReachedHost else { return false }
        let host = HostKey(url: url)
        return kind == .resolve || kind == .connect ? !host.isLocal : kind == .tls && host.liesBeyond
    }
}
