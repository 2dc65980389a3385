import CCurl
import Synchronization

import class Foundation.ProcessInfo
import class Foundation.Thread

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
        let result: Result<[MailRefusal], MailError> = await withTaskCancellationHandler {
            await withCheckedContinuation { reply in
                let thread = Thread {
                    blockBrokenPipeSignal()
                    reply.resume(returning: CurlMail(order).perform(trust))
                }
                thread.name = "crier-mail"
                thread.start()
            }
        } onCancel: {
            order.isCancelled.store(true, ordering: .releasing)
        }
        return try result.get()
    }
}

/// One mail on its way to its thread.
final class MailOrder: Sendable {
    let mail: Mail
    let isCancelled = Atomic(false)

    init(_ mail: Mail) {
        self.mail = mail
    }
}

extension String {
    /// Whether it can stand between the angle brackets of an SMTP command and means nothing else there (RFC 5321 §4.1.2).
    fileprivate var isPathSafe: Bool {
        !isEmpty && utf8.allSatisfy { $0 > 0x20 && $0 != 0x7f && $0 != 0x3c && $0 != 0x3e }
    }
}
