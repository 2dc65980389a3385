import CrierNotifications
import CrierProcess

/// Looks a secret up. Asked at every attempt, so that a new secret counts without a restart.
public typealias SecretProvider = @Sendable () async throws -> String

/// The outcome where a secret cannot be had.
enum SecretOutcome {
    /// - Parameters:
    ///   - secret: What it is, in words.
    ///   - error: Only of ``SecretError`` it is known that it tells no secret.
    static func outcome(of error: any Error, secret: String) -> DeliveryOutcome {
        let reason = (error as? SecretError).map { ": \($0.reason)" } ?? ""
        return .failed(reason: "\(secret) cannot be read\(reason)")
    }
}

/// What is secret about a service.
public enum SecretName: String, Sendable, Hashable, CaseIterable {
    /// An address that is known to few.
    case url
    /// What requests are signed with.
    case secret
    case token
    case user
}
