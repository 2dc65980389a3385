import Testing

@Suite("The command that tests a sink")
struct SinkCommandTests {
    @Test("It raises a notification, says what the sink shows and what it drops, and fails when it is refused")
    func tests() async throws {
        var crier = try BuiltCrier(
            "sinks: {file: {path: ~/news.jsonl}, program: {kind: exec, command: [sh, -c, exit 3]}}\n")
        crier.environment["HOME"] = crier.folder.path
        let good = try await crier.run("sink", "test", "file")
        #expect(good.status == 0)
        #expect(good.errors.contains("file: shows title, text, subtitle, link, images"))
        #expect(good.errors.contains("file: drops markup, buttons, replacement; of this test nothing"))
        #expect(good.errors.contains("file: delivered in "))
        #expect(crier.folder.read("news.jsonl")?.contains("Test of the sink file") == true)
        let bad = try await crier.run("sink", "test", "program")
        #expect(bad.status == 69 && bad.errors.contains("sh ended with exit status 3"))
    }
}
