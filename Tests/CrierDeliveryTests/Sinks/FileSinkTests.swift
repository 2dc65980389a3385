import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("A file of lines")
struct FileSinkTests {
    let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("Each notification is one line of JSON, in a file that only its owner can read")
    func lines() async throws {
        let sink = FileSink(path: folder.file("deep/er/news.jsonl"))
        #expect(await sink.deliver(.titled("干货")) == .delivered())
        #expect(await sink.deliver(.of(NotificationContent(title: "two", body: "a\nb"))) == .delivered())
        let lines = try #require(folder.read("deep/er/news.jsonl")).split(separator: "\n")
        #expect(lines.count == 2)
        let second = try JSONSerialization.jsonObject(with: Data(lines[1].utf8)) as? [String: Any]
        #expect(second?["body"] as? String == "a\nb")
        for (name, mode) in [("deep/er/news.jsonl", 0o600), ("deep/er", 0o700), ("deep", 0o700)] {
            let attributes = try FileManager.default.attributesOfItem(atPath: folder.file(name))
            #expect(attributes[.posixPermissions] as? Int == mode)
        }
    }

    @Test("Several at once stand in their order, and a batch that cannot be written leaves nothing")
    func batch() async throws {
        let sink = FileSink(path: folder.file("news"))
        #expect(await sink.deliver((1...9).map { .titled("T\($0)") }) == .delivered())
        #expect(titles("news") == (1...9).map { "T\($0)" })
        try FileManager.default.createDirectory(atPath: folder.file("folder"), withIntermediateDirectories: true)
        let outcome = await FileSink(path: folder.file("folder")).deliver([.titled("a"), .titled("b")])
        guard case .failed = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test("What an interrupted run has written is not written again, and neither is what an earlier attempt has")
    func again() async throws {
        let path = folder.file("news")
        _ = await FileSink(path: path).deliver([.titled("a"), .titled("b")])
        let next = FileSink(path: path)
        #expect(await next.deliver([.titled("a"), .titled("b"), .titled("c")]) == .delivered())
        #expect(titles("news") == ["a", "b", "c"])
        #expect(await next.deliver(.of(NotificationContent(title: "c"), number: 2)) == .delivered())
        #expect(titles("news") == ["a", "b", "c"])
        // A run knows what it has recorded: the same once more was wanted.
        _ = await next.deliver(.titled("c"))
        #expect(titles("news") == ["a", "b", "c", "c"])
        try folder.write("{\"half\":", to: "half")
        _ = await FileSink(path: folder.file("half")).deliver(.titled("x"))
        _ = await FileSink(path: folder.file("half")).deliver(.titled("x"))
        #expect(folder.read("half")?.split(separator: "\n").count == 2)
    }

    private func titles(_ name: String) -> [String] {
        (folder.read(name) ?? "").split(separator: "\n").compactMap { line in
            (try? JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])?["title"] as? String
        }
    }

    @Test("A file that is rotated away is followed by a new one")
    func rotation() async throws {
        let sink = FileSink(path: folder.file("news"))
        _ = await sink.deliver(.titled("old"))
        try FileManager.default.moveItem(atPath: folder.file("news"), toPath: folder.file("news.1"))
        _ = await sink.deliver(.titled("new"))
        #expect(folder.read("news.1")?.contains("old") == true)
        #expect(folder.read("news")?.contains("old") == false)
        #expect(folder.read("news")?.contains("new") == true)
    }

    @Test("A file that is copied and emptied goes on from its beginning, without a hole")
    func copyTruncate() async throws {
        let sink = FileSink(path: folder.file("news"))
        _ = await sink.deliver(.titled("old"))
        #expect(truncate(folder.file("news"), 0) == 0)
        _ = await sink.deliver(.titled("new"))
        let text = try #require(folder.read("news"))
        #expect(text.hasPrefix("{") && text.contains("new") && !text.contains("old"))
    }

    @Test("What was left in half is ended before the next line")
    func half() async throws {
        try folder.write("{\"half\":", to: "news")
        _ = await FileSink(path: folder.file("news")).deliver(.titled("whole"))
        let lines = try #require(folder.read("news")).split(separator: "\n")
        #expect(lines.count == 2 && lines[0] == "{\"half\":")
    }

    @Test("What is no file, or cannot be written, is a failure that names it")
    func failures() async throws {
        for path in [folder.path, "/dev/null", "/proc/none/x", "/dev/full"] {
            let outcome = await FileSink(path: path).deliver(.titled("x"))
            guard case .failed(let reason, _) = outcome else { return #expect(Bool(false), "\(path): \(outcome)") }
            #expect(reason.hasPrefix("\(path) cannot be written: "))
        }
    }
}
