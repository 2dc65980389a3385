import CrierTesting
import Foundation
import Testing

/// Who else may read what is secret.
@Suite struct DoctorSecretTests {
    private func findings(_ run: BuiltCrier.Outcome) -> [[String: Any]] {
        run.objects.filter { $0["subject"] as? String == "secrets" }
    }

    @Test func aFileThatHoldsNoSecretIsTold() async throws {
        var crier = try BuiltCrier(
            "sinks: {hook: {kind: webhook, url: {file: ~/hook}, headers: {Authorization: {file: ~/folder}}}}\n")
        crier.environment["HOME"] = crier.folder.path
        try crier.folder.write("", to: "hook")
        try crier.folder.write("", to: "folder/within")
        let run = try await crier.run("doctor", "--format", "json")
        #expect(
            findings(run).compactMap { $0["words"] as? String } == [
                "the file of a secret of the sink hook is empty", "the file of a secret of the sink hook is a folder",
            ])
    }

    /// No secret is read from what is no file.
    @Test func aPipeThatASecretIsToStandInIsTold() async throws {
        var crier = try BuiltCrier("sinks: {hook: {kind: webhook, url: {file: ~/pipe}}}\n")
        crier.environment["HOME"] = crier.folder.path
        try #require(mkfifo(crier.folder.file("pipe"), 0o600) == 0)
        let run = try await crier.run("doctor", "--format", "json")
        #expect(
            findings(run).compactMap { $0["words"] as? String } == [
                "the file of a secret of the sink hook is no regular file"
            ])
    }

    @Test func secretsThatOthersMayReadAreTold() async throws {
        var crier = try BuiltCrier(
            """
            sinks: {hook: {kind: webhook, url: {file: ~/hook}, headers: {Authorization: {file: ~/token}}}}
            sources: {news: {url: 'https://me:hunter2@e.example/'}}
            """)
        crier.environment["HOME"] = crier.folder.path
        for name in ["hook", "token"] { try crier.folder.write("secret", to: name) }
        for (path, mode) in [("hook", 0o600), ("token", 0o604), ("crier.yaml", 0o604), ("", 0o711)] {
            try #require(chmod(crier.folder.file(path), mode_t(mode)) == 0)
        }
        let run = try await crier.run("doctor", "--format", "json")
        #expect(
            findings(run).compactMap { $0["words"] as? String } == [
                "a secret of the sink hook is in a file that others may read",
                "others may read \(crier.folder.file("crier.yaml")), and in it a password of the source news",
            ])
        #expect(!run.output.contains("hunter2"))
        for settings in [
            "url: 'https://e.example/', headers: {Authorization: hunter2}", "url: 'https://me:hunter2@e.example/'",
        ] {
            try crier.folder.write("sinks: {hook: {kind: webhook, \(settings)}}\n", to: "crier.yaml")
            try #require(chmod(crier.folder.file("crier.yaml"), 0o604) == 0)
            let plain = try await crier.run("doctor", "--format", "json")
            #expect(findings(plain).compactMap { $0["verdict"] as? String } == ["warn"])
            #expect(!plain.output.contains("hunter2"))
        }
        try #require(chmod(crier.folder.path, 0o700) == 0)
        let closed = try await crier.run("doctor", "--format", "json")
        #expect(findings(closed).isEmpty)
    }
}
