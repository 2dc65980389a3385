import CrierHTTP
import CrierNotifications
import CrierProcess

import struct Foundation.Date
import struct Foundation.URL

/// Raises notifications by calling a web service.
///
/// Only the host of an address appears in outcomes and descriptions: the rest of it, the fields and the secrets may be
/// what keeps strangers out.
public struct WebSink: NotificationSink {
    private let service: any WebService
    private let fields: HTTPFields
    private let secretFields: [String: SecretProvider]
    private let limits: HTTPLimits
    private let showsImages: Bool
    private let transport: any HTTPTransport
    private let clock: any WallClock

    /// - Parameters:
    ///   - fields: header fields to send besides; a `User-Agent` among them takes the place of `userAgent`.
    ///   - secretFields: those that are secret, by name.
    ///   - timeout: for one call; 15…30 s are usual.
    ///   - showsImages: Whether the service is given the addresses of pictures. Who shows one asks its server for it, which sees
    ///     that somebody reads.
    public init(
        _ service: any WebService, fields: HTTPFields = HTTPFields(), secretFields: [String: SecretProvider] = [:],
        userAgent: String, timeout: Duration = .seconds(20), showsImages: Bool = true, transport: any HTTPTransport,
        clock: any WallClock
    ) {
        self.service = service
        self.showsImages = showsImages
        var fields = fields
        fields["User-Agent"] = fields["User-Agent"] ?? userAgent
        // Only a secret makes a signature.
        fields[Self.signature] = nil
        self.fields = fields
        self.secretFields = secretFields.filter { $0.key.lowercased() != Self.signature }
        var limits = HTTPLimits.webhook
        limits.total = timeout
        limits.connect = min(limits.connect, timeout)
        self.limits = limits
        self.transport = transport
        self.clock = clock
    }

    private static let signature = "webhook-signature"

    public var capabilities: SinkCapabilities {
        var capabilities = service.capabilities
        if !showsImages { capabilities.features.remove(.images) }
        return capabilities
    }
    /// Besides its secrets there are up to four messages, as where one that is to be replaced is gone, and where a picture or a link is
    /// refused, it is made again without; and up to two calls for each, with a pause.
    public var attemptLimit: Duration { (limits.total * 2 + Self.patience) * 4 + .seconds(60) }

    /// What is called, and where messages are made there, such as a room; nil where a secret address cannot be had. Keys are none of
    /// it: one that is another at each call would have a service that is gone called, and told of, each time.
    public var destination: String? {
        get async {
            var address = service.address
            if address == nil { address = try? await service.secrets[.url]?() }
            return address.map { [service.name, $0, service.place([:]) ?? ""].joined(separator: "\u{0}") }
        }
    }

    public func deliver(_ attempt: DeliveryAttempt) async -> DeliveryOutcome {
        var secrets: [SecretName: String] = [:]
        for (name, provider) in service.secrets {
            do { secrets[name] = try await provider() } catch {
                return SecretOutcome.outcome(of: error, secret: "the \(Self.words(for: name)) of \(description)")
            }
        }
        var fields = fields
        for (name, provider) in secretFields {
            do { fields[name] = try await provider() } catch {
                return SecretOutcome.outcome(of: error, secret: "the field \(name) of \(description)")
            }
        }
        let placed = PlacedReceipt(place: service.place(secrets) ?? service.name)
        let shown = showsImages ? attempt : attempt.withoutPictures
        let known = shown.replacing(attempt.receipt.flatMap(placed.name))
        let outcome = await raise(known, secrets, fields).saying(sent(secrets, fields).hidden)
        guard case .delivered(let name?, let remark) = outcome else { return outcome }
        return .delivered(receipt: placed.receipt(of: name), remark: remark)
    }

    /// Of an address also what stands behind its host, as services repeat that, unless it is words.
    private func sent(_ secrets: [SecretName: String], _ fields: HTTPFields) -> SentSecrets {
        let target = secrets[.url]?.split(separator: "/", maxSplits: 2).dropFirst(2).last.map(String.init)
        let parts = [target].compactMap { $0 }.filter { $0.contains(where: \.isNumber) }
        return SentSecrets(secrets.values + secretFields.keys.compactMap { fields[$0] } + parts)
    }

    /// Calls, and again at once where nothing was made of the call for the sake of what the message can do without.
    private func raise(
        _ attempt: DeliveryAttempt, _ secrets: [SecretName: String], _ fields: HTTPFields
    ) async -> DeliveryOutcome {
        let (outcome, answer) = await patientCall(attempt, secrets, fields)
        guard let answer else { return outcome }
        // What was to be replaced is gone: then it is a new message.
        if attempt.receipt != nil, service.hasLostReceipt(answer) {
            return await raise(attempt.replacing(nil), secrets, fields)
        }
        func again(_ attempt: DeliveryAttempt, without part: String) async -> DeliveryOutcome {
            let bare = await raise(attempt, secrets, fields)
            guard case .delivered(let name, nil) = bare else { return bare }
            return .delivered(receipt: name, remark: "without its \(part), with which \(answer.host) refused it")
        }
        if service.refusesPicture(answer), attempt.hasPicture {
            return await again(attempt.withoutPictures, without: "picture")
        }
        if service.refusesLink(answer), attempt.hasLink {
            return await again(attempt.withLinkInText, without: "link")
        }
        return outcome
    }

    /// Services have limits of a few calls within seconds (Discord: five in two): to be asked to come back that soon is no
    /// reason to end a run. It is asked once more, and no more than that.
    private func patientCall(
        _ attempt: DeliveryAttempt, _ secrets: [SecretName: String], _ fields: HTTPFields
    ) async -> (outcome: DeliveryOutcome, answer: WebAnswer?) {
        let first = await call(attempt, secrets, fields)
        guard first.answer?.response.status == 429, case .failed(_, let pause?) = first.outcome,
            pause > .zero, pause <= Self.patience, (try? await clock.sleep(for: pause)) != nil
        else { return first }
        return await call(attempt, secrets, fields)
    }

    private static let patience = Duration.seconds(5)

    private func call(
        _ attempt: DeliveryAttempt, _ secrets: [SecretName: String], _ fields: HTTPFields
    ) async -> (outcome: DeliveryOutcome, answer: WebAnswer?) {
        var request: HTTPRequest
        do {
            request = try service.call(for: attempt, secrets, now: clock.now)
        } catch {
            switch error {
            case .notification(let reason): return (.rejected(reason: reason), nil)
            case .secret(let reason): return (.failed(reason: "\(reason) of \(description)"), nil)
            }
        }
        for field in fields.all where request.fields[field.name] == nil { request.fields[field.name] = field.value }
        request.limits = limits
        request.followsRedirects = false
        request.acceptsBrokenBody = true
        let host = Self.host(of: request.url) ?? service.name
        do throws(HTTPError) {
            // A transport may read files, too, and those answer 200.
            guard request.url.lowercased().hasPrefix("http") else { throw HTTPError(.badURL, "not http") }
            let response = try await transport.send(request)
            let answer = WebAnswer(response, host: host, now: clock.now, replaced: attempt.receipt)
            return (service.outcome(of: answer) ?? WebOutcome.outcome(of: answer), answer)
        } catch {
            return (WebOutcome.outcome(of: error, host: host), nil)
        }
    }

    private static func words(for name: SecretName) -> String {
        switch name {
        case .url: "address"
        case .secret: "secret"
        case .token: "token"
        case .user: "user key"
        }
    }

    private static func host(of url: String) -> String? { URL(string: url)?.host.map(HarmlessText.line) }
}

extension WebSink: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    /// Names the service and its host alone.
    public var description: String {
        guard let host = service.address.flatMap(Self.host) else { return service.name }
        return "\(service.name) at \(host)"
    }
    public var debugDescription: String { description }
    public var customMirror: Mirror { Mirror(self, children: []) }
}

extension DeliveryAttempt {
    /// Whether a service that shows pictures is sent one.
    fileprivate var hasPicture: Bool { MessageParts(request.content).image != nil }

    fileprivate var withoutPictures: DeliveryAttempt {
        var content = request.content
        content.attachments.removeAll(where: \.isPicture)
        return changed(to: NotificationRequest(identifier: request.identifier, content: content), receipt: receipt)
    }

    fileprivate var hasLink: Bool { MessageParts(request.content).link != nil }

    fileprivate var withLinkInText: DeliveryAttempt {
        var content = request.content
        let parts = MessageParts(content)
        // Before a text that may be cut.
        content.body = [parts.link ?? "", parts.text].filter { !$0.isEmpty }.joined(separator: "\n")
        content.subtitle = ""
        content.url = nil
        return changed(to: NotificationRequest(identifier: request.identifier, content: content), receipt: receipt)
    }

    /// The same, to replace another message; nil makes a new one.
    fileprivate func replacing(_ receipt: String?) -> DeliveryAttempt { changed(to: request, receipt: receipt) }

    private func changed(to request: NotificationRequest, receipt: String?) -> DeliveryAttempt {
        DeliveryAttempt(
            request: request, revision: revision, number: number, created: created, receipt: receipt,
            mayBeRaised: mayBeRaised)
    }
}
