import CCurl
import CrierProcess
import Dispatch
import Synchronization

import class Foundation.ProcessInfo

/// Hands mail in with libcurl. Mails are few: each has a thread for its length.
public struct CurlMailTransport: MailTransport {
    private let trust: TrustStore

    /// - Parameter environment: read for `CURL_CA_BUNDLE`, `SSL_CERT_FILE` and `SSL_CERT_DIR`.
    public init(environment: [String: String] = ProcessInfo.processInfo.environment) {
        trust = TrustStore(environment)
    }

    public func send(_ mail: Mail) async throws(MailError) -> [MailRefusal] {
        guard !mail.recipients.isEmpty else { throw MailError(.invalid, "the mail has no recipient") }
        guard ([mail.sender, mail.server.url] + mail.recipients).allSatisfy(\.isPathSafe) else {
            throw MailError(.invalid, "an address is empty, or holds a space, a bracket or a control character")
        }
        let order = MailOrder(mail)
        let trust = trust
        let ending: MailOrder.Ending = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                order.awaitEnding(reply)
                let refusal = OwnThread.begin("crier-mail") {
                    blockBrokenPipeSignal()
                    order.end(CurlMail(order).perform(trust))
                }
                if let refusal { order.end(.failure(MailError(.broken, refusal))) }
            }
        } onCancel: {
            order.cancel()
        }
        return try ending.get()
    }
}

/// One mail on its way to its thread.
final class MailOrder: Sendable {
    typealias Ending = Result<[MailRefusal], MailError>

    private struct State {
        /// Nil where nobody waits.
        var reply: CheckedContinuation<Ending, Never>?
        /// What is known before the thread is at its end.
        var known = Ending.failure(MailError(.cancelled, "cancelled"))
    }

    /// Who cancels waits for it. Libcurl, which looks up once a second while it waits for a reply, may take longer.
    private static let grace = DispatchTimeInterval.milliseconds(500)

    let mail: Mail
    let isCancelled = Atomic(false)
    /// Whether the grace is over, too.
    let isGivenUp = Atomic(false)
    private let state = Mutex(State())

    init(_ mail: Mail) {
        self.mail = mail
    }

    func awaitEnding(_ reply: CheckedContinuation<Ending, Never>) { state.withLock { $0.reply = reply } }

    /// What came of the mail, whatever is still to be said.
    func note(_ ending: Ending) { state.withLock { $0.known = ending } }

    /// Only the first one is heard.
    func end(_ ending: Ending) { state.withLock { $0.reply.take() }?.resume(returning: ending) }

    func cancel() {
        isCancelled.store(true, ordering: .releasing)
        DispatchQueue(label: "crier mail").asyncAfter(deadline: .now() + Self.grace) { [self] in
            isGivenUp.store(true, ordering: .releasing)
            end(state.withLock { $0.known })
        }
    }
}

extension String {
    /// Whether it can stand between the angle brackets of an SMTP command and means nothing else there (RFC 5321 §4.1.2).
    fileprivate var isPathSafe: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x3c && $0 != 0x3e }
    }
}
