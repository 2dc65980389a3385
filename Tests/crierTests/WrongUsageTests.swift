import CrierTesting
import Foundation
import Testing

@Suite struct WrongUsageTests {
    private let config = "sources:\n  news: {url: 'file:///no/such/feed'}\n"

    @Test(arguments: [
        ["frobnicate"], ["fetch", "--format", "xml"], ["deliveries", "retry"], ["sink", "test", "nowhere"],
        ["why", "nobody"],
    ])
    func is64(arguments: [String]) async throws {
        #expect(try await BuiltCrier(config).run(arguments).status == 64)
    }

    @Test(arguments: [
        ["backup", ""], ["export", ""], ["manual", ""], ["import", ""], ["parse", ""], ["check", "--config", ""],
        ["status", "--state", ""],
    ])
    func anEmptyPathIsNoFile(arguments: [String]) async throws {
        let run = try await BuiltCrier(config).run(arguments)
        #expect(run.status == 64)
        #expect(run.errors.contains("it is empty"), "\(run.errors)")
    }

    @Test(arguments: [
        (["--items", ".posts["], "--items: "), (["--items", "//a", "--field", "title=h2["], "--field title: "),
        (["--when", ".a |"], "--when: jq: syntax error"), (["--read", "html", "--items", ".posts[]"], "--items: "),
    ])
    func anExpressionThatDoesNotCompileIsSaidBeforeAnOriginIsAsked(options: [String], words: String) async throws {
        let origin = try await ScriptedOrigin()
        let crier = try BuiltCrier(config)
        for command in ["try", "add"] {
            let run = try await crier.run([command, origin.url("/api")] + options)
            #expect(run.status == 64)
            #expect(run.errors.contains(words), "\(run.errors)")
        }
        #expect(try await crier.run(["parse", crier.folder.file("crier.yaml")] + options).status == 64)
        #expect(await origin.requests.isEmpty)
        await origin.stop()
    }
}
