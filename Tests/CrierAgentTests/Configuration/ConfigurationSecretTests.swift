import CrierProcess
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("A secret is found, and never shown")
struct ConfigurationSecretTests {
    private func webhook(_ secret: String) -> String {
        "sinks: {w: {kind: webhook, url: \"https://h/\", secret: \(secret)}}"
    }

    @Test(
        "no problem repeats what stands where a secret belongs",
        arguments: [
            ("hunter2", "1:55: sinks.w.secret: a secret does not stand in the configuration itself"),
            ("[hunter2]", "1:55: sinks.w.secret: a secret does not stand in the configuration itself"),
            ("!hunter2 ", "1:55: sinks.w.secret: a secret does not stand in the configuration itself"),
            ("{hunter2}", "1:56: sinks.w.secret: unknown key"),
            ("{hunter2: x}", "1:56: sinks.w.secret: unknown key"),
            ("{evn: hunter2}", "1:56: sinks.w.secret: unknown key"),
            ("{env: $hunter2}", "1:61: sinks.w.secret: this is no name of an environment variable"),
            ("{env: hunter2!}", "1:61: sinks.w.secret: this is no name of an environment variable"),
            ("{env: [hunter2]}", "1:61: sinks.w.secret: a list where a single value should be"),
            ("{file: hunter2}", "1:62: sinks.w.secret: a path that depends on where Crier is started"),
            ("{credential: ../hunter2}", "1:68: sinks.w.secret: this is no name of a credential"),
            ("{command: hunter2}", "1:65: sinks.w.secret: a single value where a list should be"),
            ("{command: []}", "1:65: sinks.w.secret: an empty list; expected a list: the program and its arguments"),
            (#"{command: [""]}"#, "1:65: sinks.w.secret: an empty text for the program"),
            (#"{command: ["hunter2\0"]}"#, "1:65: sinks.w.secret: a NUL in a command"),
            ("{env: A, file: hunter2}", "1:55: sinks.w.secret: a secret is found in exactly one place"),
            ("{env: 1hunter2}", "1:61: sinks.w.secret: this is no name of an environment variable"),
            (
                "{credential: hunter2\(String(repeating: "x", count: 249))}",
                "1:68: sinks.w.secret: this is no name of a credential"
            ),
            (
                "{command: [\(Array(repeating: "hunter2", count: 1001).joined(separator: ","))]}",
                "1:65: sinks.w.secret: more than 1000 arguments"
            ),
            (#"{env: ""}"#, "1:61: sinks.w.secret: this is no name of an environment variable"),
            (#"{credential: ""}"#, "1:68: sinks.w.secret: this is no name of a credential"),
        ])
    func problem(secret: String, start: String) {
        let found = problems(webhook(secret))
        #expect(found.count == 1)
        #expect(found.first?.hasPrefix(start) == true)
        #expect(found.first?.contains("hunter2") == false)
    }

    @Test func anAddressThatIsASecretIsNotRepeated() {
        for url in ["htps://h/hunter2", "h/hunter2", "https://h:hunter2/", "https://h/ hunter2", "file://hunter2"] {
            let found = problems("sinks: {w: {kind: webhook, url: \"\(url)\"}}")
            #expect(found.count == 1)
            #expect(found.first?.contains("hunter2") == false)
        }
    }

    @Test(arguments: [
        ("e.example/{k}", "{k: {env: K}, l: {file: ~/l}}", "\"{l}\" does not stand in url"),
        ("u:{k}@e.example/", "{k: {env: K}}", "\"{k}\" stands before the path"),
        ("e.example/{k}", "{k: hunter2}", "a secret does not stand in the configuration itself"),
        ("e.example/{k}", "{hunter2!: {env: K}}", "this is no name of a secret"),
        ("e.example/{k}", "[hunter2]", "a list where "),
    ])
    func secretsOfAnAddressStandInIt(address: String, secrets: String, complaint: String) {
        let found = problems("sources: {a: {url: 'https://\(address)', secrets: \(secrets)}}")
        #expect(found.count == 1 && found[0].contains(complaint), "\(found)")
        #expect(found.first?.contains("hunter2") == false)
    }

    @Test func secretsOfAnAddressAreRead() throws {
        let text = "sources: {a: {url: 'https://e.example/{k}?l={l-2}', secrets: {k: {env: K}, l-2: {file: ~/l}}}}"
        let source = try #require(try configuration(text).sources.first)
        #expect(source.request.secrets == ["k": .environment("K"), "l-2": .file("~/l")])
    }

    @Test func theFourPlacesAreRead() throws {
        for (text, reference) in [
            ("{env: A_1}", SecretReference.environment("A_1")), ("{file: /run/secret}", .file("/run/secret")),
            ("{credential: team-secret}", .credential("team-secret")),
            ("{command: [pass, show, x]}", .command(["pass", "show", "x"])),
        ] {
            guard case .webhook(let settings) = try configuration(webhook(text)).sinks.first?.settings else {
                Issue.record("no webhook")
                continue
            }
            #expect(settings.secret == reference)
        }
    }

    @Test func printingAReferenceShowsNothing() {
        let references: [SecretReference] = [
            .environment("hunter2"), .file("/hunter2"), .credential("hunter2"), .command(["hunter2"]),
        ]
        for reference in references {
            var dumped = ""
            dump(WebhookSinkSettings(url: "https://h/", secret: reference), to: &dumped)
            for text in ["\(reference)", String(reflecting: reference), "\([reference])", dumped] {
                #expect(!text.contains("hunter2"))
            }
        }
    }

    @Test func secretsAreResolved() async throws {
        let folder = try TemporaryFolder()
        try folder.write("s3cret\n\n", to: "secret")
        try folder.write("s3cret\r\n", to: "crlf")
        try folder.write("\n", to: "empty")
        try folder.write(String(repeating: "x", count: 65_537), to: "long")
        try Data([0xff, 0xfe]).write(to: URL(fileURLWithPath: folder.file("latin")))
        // Nobody writes to it.
        mkfifo(folder.file("pipe"), 0o600)
        let environment = [
            "HOME": folder.path, "NAME": "value\n", "TWO": "value\n\r\n", "EMPTY": "", "END": "\n",
            "CREDENTIALS_DIRECTORY": folder.path,
        ]
        func resolved(_ reference: SecretReference) async throws -> String {
            try await reference.resolve(environment: environment) { Array("\($0)\n".utf8) }
        }
        #expect(try await resolved(.environment("NAME")) == "value")
        #expect(try await resolved(.environment("TWO")) == "value\n")
        #expect(try await resolved(.file("~/secret")) == "s3cret\n")
        #expect(try await resolved(.file(folder.file("crlf"))) == "s3cret")
        #expect(try await resolved(.credential("crlf")) == "s3cret")
        #expect(try await resolved(.command(["a"])) == #"["a"]"#)
        for reference in [
            SecretReference.environment("EMPTY"), .environment("END"), .environment("hunter2"), .file("~/hunter2"),
            .file("~/empty"), .file("~/long"), .file("~"), .file("~/pipe"),
            .file("~/latin"),
            .credential("hunter2"), .credential("empty"),
        ] {
            let error = await #expect(throws: SecretError.self) { _ = try await resolved(reference) }
            #expect(error?.description.hasPrefix("the secret cannot be read: ") == true)
            #expect(error?.description.contains("hunter2") == false)
        }
        for environment in [[:], ["HOME": "home", "CREDENTIALS_DIRECTORY": "credentials"]] {
            for reference in [SecretReference.file("~/secret"), .credential("crlf")] {
                await #expect(throws: SecretError.self) {
                    _ = try await reference.resolve(environment: environment) { _ in [] }
                }
            }
        }
    }

    @Test func aCredentialIsForAService() async throws {
        let error = await #expect(throws: SecretError.self) {
            _ = try await SecretReference.credential("team").resolve(environment: ["HOME": "/"]) { _ in [] }
        }
        #expect(
            error?.description
                == "the secret cannot be read: it is a credential of a service, and this process was not given any")
    }
}
