import CrierProcess
import Foundation

/// A mail server that keeps what it takes: `aiosmtpd`, with a login where it is encrypted.
///
/// It knows the user `me` with the password `p4ss word`; where its address ends with `/odd`, by a login that nobody else knows.
/// It says "not now" to the user `later` and to recipients that begin so, and "never" to those that begin with `nobody`; the
/// same of a message as a whole where its sender begins with `busy`, `spam`, `odd` or `many`. It refuses the sender `stranger`,
/// the size of what `large` sends and any message of `closed`, says nothing to `mute`, nor to the goodbye of `silent`, and
/// answers to the mails of `slow` once it has taken one of `wake`; to those of `stuck` never, and to those of `babbling` with
/// lines that are no answer. Files tell when it is at that: `goodbye` and `stuck`. Behind the message of `broken` it hangs up.
package struct ReceivingMailServer: Sendable {
    /// A mail as Python's `email` package reads it.
    package struct Received: Sendable, Codable {
        package let sender: String
        package let recipients: [String]
        /// Each field once, decoded, by its name in lower case.
        package let fields: [String: String]
        package let fieldNames: [String]
        package let contentType: String
        package let plain: String?
        package let html: String?
        package let defects: [String]
        package let longestLine: Int
    }

    package enum Security: String, Sendable {
        case startTLS = "starttls"
        /// From the first byte (`smtps`).
        case tls
        case none
    }

    /// `smtp://127.0.0.1:PORT`, or `smtps`.
    package let url: String
    /// The authority that has signed its certificate: a PEM file.
    package let authority: String
    private let folder: TemporaryFolder

    package static let isPossible = PythonTools.has("aiosmtpd")

    /// Runs `body` while the server runs.
    package static func run(
        _ security: Security = .startTLS, in folder: TemporaryFolder, _ body: (ReceivingMailServer) async throws -> Void
    ) async throws {
        let key = [
            "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-keyout", folder.file("key.pem"),
        ]
        let names = ["-addext", "subjectAltName=IP:127.0.0.1", "-subj", "/CN=crier test mail"]
        let command = ["openssl", "req", "-x509", "-days", "2", "-out", folder.file("cert.pem")] + key + names
        _ = try await BoundedProgram(command).output(limit: .seconds(60), outputLimit: 1 << 20)
        let script = try folder.write(Self.script, to: "mailserver.py")
        try await withProgram(PythonTools.interpreter, [script, folder.path, security.rawValue]) { server in
            let port = try await server.firstLine()
            try await body(
                ReceivingMailServer(
                    url: "\(security == .tls ? "smtps" : "smtp")://127.0.0.1:\(port)",
                    authority: folder.file("cert.pem"), folder: folder))
        }
    }

    /// The mails taken so far, in order.
    package func received() async throws -> [Received] {
        let json = try await PythonTools.run(Self.reader, [folder.path])
        return try JSONDecoder().decode([Received].self, from: Data(json.utf8))
    }

    private static let script = """
        import asyncio, json, ssl, sys
        from aiosmtpd.smtp import SMTP, AuthResult

        folder, security = sys.argv[1:]

        class Handler:
            count = 0
            is_awake = asyncio.Event()

            async def handle_EHLO(self, server, session, envelope, name, lines):
                session.host_name = name
                return ["250-AUTH ODD" if name == "odd" and line.startswith("250-AUTH") else line for line in lines]

            async def handle_MAIL(self, server, session, envelope, address, options):
                if address.startswith("stranger"):
                    return "530 5.7.0 authenticate first"
                if address.startswith("large"):
                    return "552 5.3.4 too large"
                if address.startswith("mute"):
                    await asyncio.Event().wait()
                envelope.mail_from = address
                return "250 OK"

            async def handle_RCPT(self, server, session, envelope, address, options):
                if address.startswith("later"):
                    return "450 4.2.0 come back later"
                if address.startswith("nobody"):
                    return "550 5.1.1 no such user"
                envelope.rcpt_tos.append(address)
                return "250 OK"

            async def handle_DATA(self, server, session, envelope):
                if envelope.mail_from.startswith("busy"):
                    return "452 4.3.1 no room"
                if envelope.mail_from.startswith("spam"):
                    return "554 5.7.1 this is spam"
                if envelope.mail_from.startswith("odd"):
                    return "554 5.6.0 what a mail"
                if envelope.mail_from.startswith("many"):
                    return "550 5.4.5 enough for today"
                if envelope.mail_from.startswith("slow"):
                    await Handler.is_awake.wait()
                if envelope.mail_from.startswith(("stuck", "babbling")):
                    open(f"{folder}/stuck", "w").close()
                    # libcurl reads no more than 300 KB of one answer.
                    while envelope.mail_from.startswith("babbling"):
                        await server.push("well")
                        await asyncio.sleep(0.01)
                    await asyncio.Event().wait()
                if envelope.mail_from.startswith("broken"):
                    server.transport.abort()
                    return "250 nobody hears this"
                if envelope.mail_from.startswith("wake"):
                    Handler.is_awake.set()
                server.is_silent = envelope.mail_from.startswith("silent")
                Handler.count += 1
                with open(f"{folder}/{Handler.count}.eml", "wb") as file:
                    file.write(envelope.original_content)
                with open(f"{folder}/{Handler.count}.json", "w") as file:
                    json.dump([envelope.mail_from, envelope.rcpt_tos], file)
                return "250 taken"

        class Server(SMTP):
            is_silent = False

            async def smtp_QUIT(self, arg):
                if self.is_silent:
                    open(f"{folder}/goodbye", "w").close()
                    await asyncio.Event().wait()
                await super().smtp_QUIT(arg)

            async def smtp_DATA(self, arg):
                if self.envelope.mail_from and self.envelope.mail_from.startswith("closed"):
                    return await self.push("554 5.3.2 no mail now")
                await super().smtp_DATA(arg)

        def authenticate(server, session, envelope, mechanism, data):
            if data.login == b"later":
                return AuthResult(success=False, handled=False, message="454 4.7.0 no logins now")
            return AuthResult(success=(data.login, data.password) == (b"me", b"p4ss word"), handled=False)

        context = None
        if security != "none":
            context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
            context.load_cert_chain(f"{folder}/cert.pem", f"{folder}/key.pem")

        def make():
            if context is None:
                return Server(Handler(), hostname="test")
            if security == "tls":
                return Server(Handler(), hostname="test", auth_required=True, auth_require_tls=False, authenticator=authenticate)
            return Server(Handler(), hostname="test", tls_context=context, require_starttls=True, auth_required=True,
                          authenticator=authenticate)

        async def main():
            server = await asyncio.get_running_loop().create_server(
                make, "127.0.0.1", 0, ssl=context if security == "tls" else None)
            print(server.sockets[0].getsockname()[1], flush=True)
            await server.serve_forever()

        asyncio.run(main())

        """

    private static let reader = """
        import email, email.policy, json, os, sys
        folder, mails, number = sys.argv[1], [], 1
        text = lambda part: part.get_content().replace("\\r\\n", "\\n")
        while os.path.exists(f"{folder}/{number}.eml"):
            raw = open(f"{folder}/{number}.eml", "rb").read()
            mail = email.message_from_bytes(raw, policy=email.policy.default)
            plain, html = mail.get_body(("plain",)), mail.get_body(("html",))
            sender, recipients = json.load(open(f"{folder}/{number}.json"))
            defects = [str(d) for part in mail.walk() for d in part.defects]
            defects += [str(d) for value in mail.values() for d in getattr(value, "defects", ())]
            mails.append({
                "sender": sender, "recipients": recipients, "fieldNames": list(mail.keys()),
                "fields": {name.lower(): str(value) for name, value in mail.items()},
                "contentType": mail.get_content_type(), "plain": plain and text(plain),
                "html": html and text(html), "defects": defects,
                "longestLine": max(len(line) for line in raw.split(b"\\r\\n"))})
            number += 1
        print(json.dumps(mails))
        """
}
