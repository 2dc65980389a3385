import CrierFetch
import CrierProcess

/// What a source's requests say: `headers`, `auth`, `secrets`, `method`, `body`, `proxy` and `ca-file`.
extension ConfigurationReader {
    /// What belongs together, or does not.
    mutating func request(
        _ values: SectionValues, address: SourceAddress?, path: String
    ) -> SourceRequest {
        let request = SourceRequest(
            method: values.text("method"), body: values.text("body"), fields: values.httpFields("headers"),
            authorization: values.authorization("auth"), secrets: values.secrets("secrets"),
            proxy: values.text("proxy"), caFile: values.text("ca-file"))
        if let address, !address.isOnTheWeb { refuseRequestOptions(values, path: path) }
        if request.method == "GET", request.body != nil, let position = values.position(of: "method") {
            report(
                ValueComplaint("a GET request has no body", expected: "method: POST or no body"), at: position,
                path: "\(path).method")
        }
        if let proxy = request.proxy, let position = values.position(of: "proxy"), proxy.hasUserBehindHost {
            report(
                ValueComplaint(
                    "the address has an @ behind its host",
                    expected: "`/`, `?` and `#` of a user or password written as %2F, %3F and %23"),
                at: position, path: "\(path).proxy")
        }
        if case .url(let url) = address, let position = values.position(of: "secrets") {
            for name in request.secrets.keys.sorted() {
                guard let complaint = SecretNames.complaint(of: name, in: url) else { continue }
                report(complaint, at: position, path: "\(path).secrets")
            }
        }
        let names = request.fields.map { $0.name.lowercased() }
        if request.authorization != nil, names.contains("authorization"), let position = values.position(of: "auth") {
            report(
                ValueComplaint("\"headers\" has an Authorization too", expected: "one of them"), at: position,
                path: "\(path).auth")
        }
        return request
    }

    private mutating func refuseRequestOptions(_ values: SectionValues, path: String) {
        for row in OptionTable.requests {
            guard let position = values.position(of: row.key) else { continue }
            report(
                ValueComplaint(
                    "\(quoted(row.key)) is for sources that are asked over HTTP", expected: "url: https://… beside it"),
                at: position, path: "\(path).\(row.key)")
        }
    }

    /// Fields with texts or secrets. What may be a secret is never repeated.
    ///
    /// - Parameters:
    ///   - own: What nobody else may say.
    ///   - around: What stands one level further up.
    mutating func httpFields(
        _ node: YAMLNode, type: OptionType, own: Set<String>, around: OptionRows, path: String
    ) -> [SourceRequest.Field]? {
        let count = problems.count
        let section = section(node, key: nil, path: path, expected: type.expectation)
        var fields: [SourceRequest.Field] = []
        for entry in section.entries where visit(entry.value) {
            let names = fields.map(\.name)
            if let complaint = headerComplaint(entry) ?? fieldComplaint(entry.key, after: names, own: own) {
                report(complaint, at: entry.position, path: path)
            } else if let value = fieldText(entry.value, path: "\(path).\(entry.key)") {
                fields.append(SourceRequest.Field(entry.key, value))
                if let slip = fieldSlip(entry.key, around: around) { note(slip, at: entry.position, path: path) }
            }
        }
        return problems.count == count ? fields : nil
    }

    private mutating func fieldText(_ node: YAMLNode, path: String) -> TextOrSecret? {
        if node.mapping != nil { return secret(node, path: path).map { .secret($0) } }
        do throws(ValueComplaint) {
            return .plain(try scalarText(node))
        } catch {
            let expected =
                "text or where a secret is found: {env: NAME}, {file: PATH}, {credential: NAME} or {command: [PROGRAM, …]}"
            report(ValueComplaint(error.message, expected: error.expected ?? expected), at: node.position, path: path)
            return nil
        }
    }

    /// - Parameters:
    ///   - names: Those of the fields before it.
    ///   - own: What nobody else may say.
    private func fieldComplaint(_ name: String, after names: [String], own: Set<String>) -> ValueComplaint? {
        let lowercased = name.lowercased()
        if names.contains(where: { $0.lowercased() == lowercased }) {
            return ValueComplaint("\(quoted(name)) is given twice")
        }
        guard own.contains(lowercased) else { return nil }
        return ValueComplaint("\(quoted(name)) is Crier's own to send", expected: "other HTTP fields")
    }

    /// Of a name that is written like a key which has its place elsewhere. One is the name of a field, too.
    private func fieldSlip(_ name: String, around: OptionRows) -> ValueComplaint? {
        let sent = "\(quoted(name)) is sent as an HTTP field"
        switch name {
        case "env", "file", "credential", "command":
            return ValueComplaint("\(sent); a secret stands behind the name of one: {X-Key: {\(name): …}}")
        case _ where around.index(of: name) != nil && name != "content-type":
            return ValueComplaint("\(sent); the key \(quoted(name)) has its place one level further up")
        default: return nil
        }
    }

    /// They say where the message ends, or are what its receiver checks it by.
    static let ownWebhookFields: Set = [
        "content-length", "transfer-encoding", "webhook-id", "webhook-signature", "webhook-timestamp",
    ]

    /// They say how the message is framed, or what is remembered of the last answer.
    static let ownFields: Set = [
        "accept-encoding", "connection", "content-length", "expect", "host", "if-match", "if-modified-since",
        "if-none-match", "if-range", "if-unmodified-since", "keep-alive", "proxy-authorization", "proxy-connection",
        "range", "te", "trailer", "transfer-encoding", "upgrade",
    ]

    /// `{bearer: SECRET}` or `{user: NAME, password: SECRET}`.
    mutating func authorization(_ node: YAMLNode, path: String) -> SourceRequest.Authorization? {
        let count = problems.count
        let expected = OptionType.authorization.expectation
        let section = section(node, key: nil, path: path, expected: expected)
        var secrets: [String: SecretReference] = [:]
        var user: String?
        for entry in section.entries where visit(entry.value) {
            switch entry.key {
            case "bearer", "password": secrets[entry.key] = secret(entry.value, path: "\(path).\(entry.key)")
            case "user": user = userName(entry.value, path: "\(path).user")
            default:
                // Perhaps the secret itself: not repeated.
                let meant = nearest(to: entry.key, among: ["bearer", "user", "password"])
                report(
                    ValueComplaint("unknown key", expected: "bearer, or user and password", suggestion: meant),
                    at: entry.position, path: path)
            }
        }
        guard problems.count == count else { return nil }
        switch (user, secrets["password"], secrets["bearer"]) {
        case (nil, nil, let token?): return .bearer(token)
        case (let user?, let password?, nil): return .basic(user: user, password: password)
        default:
            report(
                ValueComplaint("neither a token nor a user with a password", expected: expected), at: node.position,
                path: path)
            return nil
        }
    }

    /// A colon would end it (RFC 7617 §2).
    private mutating func userName(_ node: YAMLNode, path: String) -> String? {
        do throws(ValueComplaint) {
            let name = try scalarText(node)
            if name.contains(":") {
                throw ValueComplaint("the name holds a colon", expected: "the user alone, and the password beside it")
            }
            return name
        } catch {
            report(ValueComplaint(error.message, expected: error.expected ?? "a name"), at: node.position, path: path)
            return nil
        }
    }
}

extension SourceAddress {
    /// Whether it is asked over HTTP.
    fileprivate var isOnTheWeb: Bool {
        if case .url(let url) = self { !url.lowercased().hasPrefix("file:") } else { false }
    }
}

extension String {
    /// Whether what comes before a host in an address comes behind what ends one (RFC 3986 §3.2).
    fileprivate var hasUserBehindHost: Bool {
        let authority = firstRange(of: "//").map { self[$0.upperBound...] } ?? self[...]
        return authority.drop { !"/?#".contains($0) }.contains("@")
    }
}
