import CrierHTTP
import CrierNotifications

import struct Foundation.Date
import protocol Foundation.LocalizedError

/// How one web service wants to be called: what is sent for a notification, and what its answers mean.
///
/// A value without any state: ``WebSink`` makes the calls.
public protocol WebService: Sendable {
    /// For people, such as `ntfy`.
    var name: String { get }
    /// What is asked for at every attempt.
    var secrets: [SecretName: SecretProvider] { get }
    /// Where it is called; nil where the address is secret.
    var address: String? { get }
    var capabilities: SinkCapabilities { get }
    /// The call for a notification. Without the fields that every call has, and with a body that is the same at every
    /// attempt.
    ///
    /// - Parameter attempt: its receipt, if there is one, names the message to be replaced.
    func call(for attempt: DeliveryAttempt, _ secrets: [SecretName: String], now: Date) throws(WebCallProblem)
        -> HTTPRequest
    /// Where it makes messages, such as a chat, if a receipt does not name a message of one place only: it is known there alone.
    /// Nil where it does, as the names of messages are of all places of this service.
    func place(_ secrets: [SecretName: String]) -> String?
    /// What an answer means; nil where its status says it all.
    func outcome(of answer: WebAnswer) -> DeliveryOutcome?
    /// Whether the answer says that what the receipt names cannot be replaced any more.
    func hasLostReceipt(_ answer: WebAnswer) -> Bool
    /// Whether the answer says that nothing was made of a message that may be taken without its picture: it is then sent without.
    func refusesPicture(_ answer: WebAnswer) -> Bool
    /// The same of its link, which then stands in the text.
    func refusesLink(_ answer: WebAnswer) -> Bool
}

extension WebService {
    public var secrets: [SecretName: SecretProvider] { [:] }
    public func place(_ secrets: [SecretName: String]) -> String? { nil }
    public func outcome(of answer: WebAnswer) -> DeliveryOutcome? { nil }
    public func hasLostReceipt(_ answer: WebAnswer) -> Bool { false }
    public func refusesPicture(_ answer: WebAnswer) -> Bool { false }
    public func refusesLink(_ answer: WebAnswer) -> Bool { false }
}

/// Why no call can be made. Says nothing of a secret.
public enum WebCallProblem: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// Never, for this notification.
    case notification(String)
    /// Not with this secret.
    case secret(String)

    public var description: String {
        switch self {
        case .notification(let reason), .secret(let reason): reason
        }
    }

    public var errorDescription: String? { description }
}
