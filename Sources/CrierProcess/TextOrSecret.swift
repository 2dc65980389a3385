/// A text of the configuration, or where a secret one is found.
public enum TextOrSecret: Sendable, Hashable {
    case plain(String)
    case secret(SecretReference)

    /// The text; a secret one is looked up now.
    ///
    /// - Throws: ``SecretError``.
    public func resolve(environment: [String: String]) async throws -> String {
        switch self {
        case .plain(let text): text
        case .secret(let reference): try await reference.resolve(environment: environment)
        }
    }

    /// Where it is found, if it is secret.
    public var reference: SecretReference? {
        if case .secret(let reference) = self { reference } else { nil }
    }
}

extension TextOrSecret: ExpressibleByStringLiteral {
    public init(stringLiteral text: String) { self = .plain(text) }
}
