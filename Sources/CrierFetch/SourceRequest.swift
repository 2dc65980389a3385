import CrierHTTP
import CrierProcess

import struct Foundation.Data

/// What the requests for a source say beyond its address.
public struct SourceRequest: Sendable, Hashable {
    /// One header field.
    public struct Field: Sendable, Hashable {
        public var name: String
        public var value: TextOrSecret

        public init(_ name: String, _ value: TextOrSecret) {
            self.name = name
            self.value = value
        }
    }

    /// Who asks.
    public enum Authorization: Sendable, Hashable {
        /// RFC 7617.
        case basic(user: String, password: SecretReference)
        /// RFC 6750.
        case bearer(SecretReference)

        var secret: SecretReference {
            switch self {
            case .basic(_, let secret), .bearer(let secret): secret
            }
        }
    }

    /// nil: GET, or POST where there is a body.
    public var method: String?
    public var body: String?
    /// They replace those that are sent by themselves, such as Accept.
    public var fields: [Field]
    /// Who asks; nil: nobody is named, unless by ``fields``.
    public var authorization: Authorization?
    /// What stands in the address as `{name}`, by the name. They are sent percent-encoded, to the source's own origin.
    public var secrets: [String: SecretReference]
    /// A proxy URL; nil takes the environment's.
    public var proxy: String?
    /// A PEM file of certificate authorities: an absolute path, or one that begins with `~/`.
    public var caFile: String?

    /// Whether it names nobody, and asks for no fields and with no secrets.
    var isPlain: Bool { authorization == nil && fields.isEmpty && secrets.isEmpty }

    /// ``method``, or what nil stands for.
    var sentMethod: String { method ?? (body == nil ? "GET" : "POST") }

    public init(
        method: String? = nil, body: String? = nil, fields: [Field] = [], authorization: Authorization? = nil,
        secrets: [String: SecretReference] = [:], proxy: String? = nil, caFile: String? = nil
    ) {
        self.method = method
        self.body = body
        self.fields = fields
        self.authorization = authorization
        self.secrets = secrets
        self.proxy = proxy
        self.caFile = caFile
    }

    /// The header fields that it asks for. Secrets are looked up now, so that an exchanged one needs no restart, and with them those that
    /// stand in the source's address.
    ///
    /// - Throws: ``SecretError``.
    func fields(
        besides address: String, environment: [String: String]
    ) async throws -> (all: HTTPFields, secrets: SentSecrets) {
        var all = HTTPFields()
        var secrets = SentSecrets()
        for field in fields {
            let value = try await field.value.resolve(environment: environment)
            if field.value.reference != nil { secrets.insert(value) }
            all[field.name] = value
        }
        switch authorization {
        case nil: break
        case .basic(let user, let password):
            let secret = try await password.resolve(environment: environment)
            let pair = Data("\(user):\(secret)".utf8).base64EncodedString()
            secrets.insert(secret)
            secrets.insert(pair)
            all["Authorization"] = "Basic " + pair
        case .bearer(let token):
            let secret = try await token.resolve(environment: environment)
            secrets.insert(secret)
            all["Authorization"] = "Bearer " + secret
        }
        if !self.secrets.isEmpty { try await noteSecrets(ofAddress: address, in: &secrets, environment: environment) }
        return (all, secrets)
    }

    /// Takes note of what ``secrets`` are now.
    ///
    /// - Throws: ``SecretError``.
    @inline(never)
    private func noteSecrets(
        ofAddress address: String, in noted: inout SentSecrets, environment: [String: String]
    ) async throws {
        var values: [String: String] = [:]
        for (name, reference) in secrets { values[name] = try await reference.resolve(environment: environment) }
        noted.insert(values, ofAddress: address)
    }

    /// Puts everything into a request.
    ///
    /// - Parameter asked: Of ``fields(besides:environment:)``.
    func apply(to request: inout HTTPRequest, _ asked: HTTPFields, environment: [String: String]) {
        request.method = sentMethod
        if let body {
            request.body = Array(body.utf8)
            request.fields["Content-Type"] = Self.mediaType(of: body)
        }
        request.proxy = proxy
        request.caFile = caFile.map { HomePath.expanded($0, home: environment["HOME"]) ?? $0 }
        for field in asked.all { request.fields[field.name] = field.value }
    }

    /// What the answer depends on, beyond who asks: without secrets, which may be exchanged for others of the same worth.
    var fingerprint: [String] {
        guard method != nil || body != nil || !fields.isEmpty || authorization != nil else { return [] }
        let texts = fields.map { field in
            if case .plain(let text) = field.value {
                "\(field.name.lowercased()): \(text)"
            } else {
                field.name.lowercased()
            }
        }
        let user = if case .basic(let user, _) = authorization { user } else { "" }
        return [method ?? "", body ?? "", user] + texts.sorted()
    }

    /// By the first character that is no space: JSON, XML, or the form that HTML pages send.
    private static func mediaType(of body: String) -> String {
        switch body.first(where: { !$0.isWhitespace }) {
        case "{", "[": "application/json"
        case "<": "application/xml"
        default: "application/x-www-form-urlencoded"
        }
    }
}

extension Source {
    /// Whether its document is a file of this machine, or printed by a program.
    var isOfThisMachine: Bool { host.name.isEmpty }

    /// Whether it is on a host beyond this machine and its own network, as far as its address tells.
    public var liesBeyond: Bool { host.liesBeyond }
}
