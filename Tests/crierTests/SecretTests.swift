import CrierTesting
import Foundation
import Testing

/// Secrets of sources go to their origin and nowhere else.
@Suite struct SecretTests {
    private static let secrets = ["hunter2-env", "hunter2-file", "hunter2-command"]
    /// As they are, and as Basic sends the password: "me:hunter2-file".
    private static let forms = secrets + ["aHVudGVyMi", "bWU6aHVudGVy", "hunter2"]

    private func crier(_ origin: ScriptedOrigin) throws -> BuiltCrier {
        var crier = try BuiltCrier()
        let password = try crier.folder.write("hunter2-file\n", to: "password")
        let program = try crier.folder.write("#!/bin/sh\necho hunter2-command\n", to: "program", isExecutable: true)
        try crier.folder.write(
            """
            sources:
              basic:
                url: \(origin.url("/feed"))
                headers: {X-Key: {env: NEWS_KEY}}
                auth: {user: me, password: {file: \(password)}}
              bearer: {url: "\(origin.url("/bearer"))", auth: {bearer: {command: [\(program)]}}, method: POST, body: q}
              checked:
                url: \(origin.url("/checked"))
                auth: {bearer: {env: NEWS_KEY}}
                format: json
                items: .items[]
                fields: {id: .id, title: .error | error}
                when: .error == null
              searched:
                url: \(origin.url("/searched"))
                auth: {bearer: {env: NEWS_KEY}}
                format: json
                items: (.error // empty | error), .items[]
                fields: {id: .id, title: .error | error}
              addressed:
                url: "\(origin.url("/private/{file}/feed"))?k={key}"
                secrets: {file: {file: \(password)}, key: {env: NEWS_KEY}}
            """, to: "crier.yaml")
        crier.environment["NEWS_KEY"] = "hunter2-env"
        return crier
    }

    @Test(
        "No output of any command shows a secret, whatever the origin does",
        arguments: [
            ScriptedAnswer(body: atomFeed(1...2)), ScriptedAnswer(status: 401), ScriptedAnswer(status: 500),
            ScriptedAnswer(status: 302, fields: ["Location": "http://user:x@[::1"]), .raw("no HTTP"), .raw(""),
            ScriptedAnswer(status: 302, fields: ["Location": "ftp://h/"]), ScriptedAnswer(body: "no feed"),
        ])
    func noOutputShowsASecret(answer: ScriptedAnswer) async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { _ in answer }
        let crier = try crier(origin)
        try await expectNoSecretShown(by: crier)
        let sent = await origin.requests
        #expect(sent.contains { $0.fields["X-Key"] == "hunter2-env" })
        #expect(sent.contains { $0.fields["Authorization"] == "Basic bWU6aHVudGVyMi1maWxl" })
        #expect(sent.contains { $0.fields["Authorization"] == "Bearer hunter2-command" && $0.method == "POST" })
        #expect(sent.contains { $0.target == "/private/hunter2-file/feed?k=hunter2-env" })
        await origin.stop()
    }

    @Test(arguments: [
        "<html><title>no WHAT</title></html>", #"{"error":"no WHAT"}"#, #"{"items":[{"id":"1","error":"no WHAT"}]}"#,
        #"{"error":"\#(String(repeating: "-", count: 170)) WHAT is wrong, which is too long to be told"}"#,
    ])
    func whatAnOriginRepeatsIsNotShown(body: String) async throws {
        let origin = try await ScriptedOrigin()
        await origin.handle { request in
            let login = request.fields["Authorization"] ?? ""
            let password = login.hasPrefix("Basic") ? "hunter2-file" : nil
            let address = request.target.contains("hunter2") ? request.target : nil
            let sent = [password, login, request.fields["X-Key"], address].compactMap(\.self).joined(separator: ", ")
            return ScriptedAnswer(body: body.replacing("WHAT", with: sent))
        }
        try await expectNoSecretShown(by: try crier(origin))
        await origin.stop()
    }

    private func expectNoSecretShown(by crier: BuiltCrier) async throws {
        try await crier.authorize()
        var shown = ""
        for arguments in [
            ["check"], ["list"], ["list", "--format", "json"], ["try", "basic"], ["try", "bearer", "--format", "json"],
            ["try", "checked"], ["try", "searched"], ["fetch"], ["fetch", "--force", "--format", "json"],
            ["fetch", "--dry-run", "--force"], ["status"], ["status", "--format", "json"], ["why", "basic"],
            ["why", "bearer"], ["why", "basic", "--format", "json"], ["why", "checked"],
            ["try", "addressed"], ["why", "addressed"], ["why", "addressed", "--format", "json"],
            ["deliveries", "list"], ["deliveries", "list", "--format", "json"],
        ] {
            let outcome = try await crier.run(arguments)
            shown += outcome.output + outcome.errors
        }
        for form in Self.forms { #expect(!shown.contains(form), "\(form)") }
        // Nor does the state keep any.
        for file in try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
        where file.hasPrefix("crier.sqlite") {
            let bytes = try Data(contentsOf: URL(fileURLWithPath: crier.folder.file(file)))
            for form in Self.forms { #expect(bytes.range(of: Data(form.utf8)) == nil, "\(file)") }
        }
    }

    @Test func aSecretThatCannotBeHadIsNamedByItsSourceAlone() async throws {
        let origin = try await ScriptedOrigin()
        var crier = try crier(origin)
        crier.environment["NEWS_KEY"] = nil
        try crier.folder.write("#!/bin/sh\necho hunter2-command >&2\nexit 1\n", to: "program", isExecutable: true)
        let outcome = try await crier.run("fetch")
        let shown = outcome.output + outcome.errors
        #expect(shown.contains("the secret cannot be read: the environment variable is not set"))
        #expect(shown.contains("the secret cannot be read: its program failed"))
        #expect(!shown.contains("hunter2"))
        #expect(await origin.connections == 0)
        await origin.stop()
    }

    #if os(Linux)
        @Test func noArgumentOfTheProcessHoldsASecret() async throws {
            let origin = try await ScriptedOrigin()
            await origin.handle { _ in .hang }
            let crier = try crier(origin)
            let process = crier.process(["try", "basic"])
            process.standardOutput = FileHandle.nullDevice
            process.standardError = FileHandle.nullDevice
            async let end: Void = process.runToEnd()
            await origin.received(1)
            let arguments = try Data(contentsOf: URL(filePath: "/proc/\(process.processIdentifier)/cmdline"))
            #expect(arguments.range(of: Data("try".utf8)) != nil)
            #expect(arguments.range(of: Data("hunter2".utf8)) == nil)
            process.interrupt()
            await origin.stop()
            try await end
        }
    #endif

    @Test func aPasswordInAnAddressThatLacksItsBeginningIsNotShown() async throws {
        for crier in [try BuiltCrier(), try BuiltCrier("sources: {}\n")] {
            let added = try await crier.run("add", "me:hunter2@127.0.0.1:1/x")
            #expect(added.errors.hasPrefix("Taken as http://127.0.0.1:1/x\n"), "\(added.errors)")
            #expect(!added.errors.contains("hunter2"))
            for target in ["me:hunter2@e.example/feed", "me:hunter2@news", "me:hunter2/x@e.example"] {
                let tried = try await crier.run("try", target)
                #expect(
                    tried.status == 64 && tried.errors.hasPrefix("crier: there is no such source; "), "\(tried.errors)")
                #expect(!tried.errors.contains("hunter2"))
            }
        }
    }

    @Test func aHeaderThatASourceCouldNotHaveIsWrongUsageAndNothingIsSent() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try BuiltCrier()
        for (header, words) in [
            ("A b: hunter2", "a blank behind \"A\" in the name of an HTTP field"),
            ("[a: hunter2", "\"[a\" is no name of an HTTP field"),
            ("A: hunter2\r\nB: x", "the value of \"A\" holds a line end"),
            ("A: hunter2\nB", "the value of \"A\" holds a line end"),
            ("A: hunter2\u{7f}", "the value of \"A\" holds a line end or another control character"),
            ("A\u{7f}B: hunter2", "\"A"),
            ("Host: hunter2", "\"Host\" is Crier's own to send"),
        ] {
            let run = try await crier.run("try", origin.url("/feed"), "--header", header)
            #expect(run.status == 64 && run.errors.hasPrefix("crier: --header: \(words)"), "\(run.errors)")
            #expect(!run.errors.contains("hunter2"))
        }
        #expect(await origin.requests.isEmpty)
        await origin.stop()
    }

    @Test func tryTakesHeadersForAnAddress() async throws {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [ScriptedAnswer(body: atomFeed(1...1))])
        let crier = try BuiltCrier()
        let outcome = try await crier.run("try", origin.url("/feed"), "--header", "X-A: b: c", "--header", "Accept:d")
        #expect(outcome.status == 0)
        #expect(await origin.requests.first?.fields["X-A"] == "b: c")
        #expect(await origin.requests.first?.fields.combined("Accept") == "d")
        #expect(try await crier.run("try", origin.url("/feed"), "--header", "X-A").status == 64)
        await origin.stop()
    }
}
