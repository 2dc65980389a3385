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

    @Test("Nothing is written behind a database, such as the state")
    func database() async throws {
        let path = folder.file("crier.sqlite")
        let text = "SQLite format 3\u{0} and its pages"
        try folder.write(text, to: "crier.sqlite")
        let outcome = await FileSink(path: path).deliver(.titled("T"))
        #expect(outcome == .failed(reason: "\(path) cannot be written: it is a database"))
        #expect(folder.read("crier.sqlite") == text)
    }

    @Test(
        "Nothing is written behind a stranger's link in a folder that is everybody's",
        .enabled(if: geteuid() == 0, "only the superuser can make another user's link"))
    func strangersLink() async throws {
        let path = folder.file("news.jsonl")
        let target = try folder.write("mine", to: "target")
        #expect(symlink(target, path) == 0 && lchown(path, 65_534, 65_534) == 0 && chmod(folder.path, 0o1777) == 0)
        let outcome = await FileSink(path: path).deliver(.titled("T"))
        #expect(outcome == .failed(reason: "\(path) cannot be written: Permission denied"))
        #expect(folder.read("target") == "mine")
    }

    @Test("A path that holds a NUL is not cut there")
    func oddPath() async {
        let outcome = await FileSink(path: folder.file("a\u{0}b")).deliver(.titled("T"))
        guard case .failed(let reason, _) = outcome else {
            Issue.record("\(outcome)")
            return
        }
        #expect(reason.hasSuffix("its path holds a NUL"))
        #expect(folder.read("a") == nil)
    }

    @Test("Several at once stand in their order")
    func batch() async throws {
        let sink = FileSink(path: folder.file("news"))
        #expect(await sink.deliver((1...9).map { .titled("T\($0)") }) == .delivered())
        #expect(titles("news") == (1...9).map { "T\($0)" })
    }

    @Test("What an attempt without a record has written is not written again, and what it has begun is")
    func again() async throws {
        func attempt(_ title: String, again: Bool = true) -> DeliveryAttempt {
            .of(NotificationContent(title: title), mayBeRaised: again)
        }
        let path = folder.file("news")
        _ = await FileSink(path: path).deliver([attempt("a"), attempt("b"), attempt("c", again: false)])
        let sink = FileSink(path: path)
        #expect(
            await sink.deliver([attempt("a"), attempt("b"), attempt("d"), attempt("e", again: false)]) == .delivered())
        #expect(titles("news") == ["a", "b", "c", "d", "e"])
        let text = try #require(folder.read("news"))
        for cut in [0, 1, 20, text.count / 5, text.count / 5 + 1, text.count / 5 + 20] {
            try folder.write(String(text.dropLast(cut)), to: "news")
            #expect(await sink.deliver([attempt("d"), attempt("e"), attempt("f")]) == .delivered())
            #expect(titles("news") == ["a", "b", "c", "d", "e", "f"], "without \(cut)")
            #expect(folder.read("news")?.split(separator: "\n").count == 6, "no piece is left of it, without \(cut)")
        }
        // Of one that cannot have been raised there is nothing to look for.
        _ = await sink.deliver(attempt("f", again: false))
        #expect(titles("news") == ["a", "b", "c", "d", "e", "f", "f"])
    }

    @Test("It looks for a line behind others, however long they are")
    func far() async throws {
        let long = DeliveryAttempt.of(
            NotificationContent(title: "long", body: String(repeating: "x", count: 1 << 20)), mayBeRaised: true)
        let sink = FileSink(path: folder.file("news"))
        for _ in 1...2 { #expect(await sink.deliver([long, .titled("after")]) == .delivered()) }
        #expect(titles("news") == ["long", "after", "after"])
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

    #if os(Linux)
        @Test("A pipe behind a link is told of as what it is")
        func pipe() async throws {
            let pipe = Pipe()
            let path = folder.file("news")
            let target = "/proc/self/fd/\(pipe.fileHandleForWriting.fileDescriptor)"
            #expect(symlink(target, path) == 0)
            let outcome = await FileSink(path: path).deliver(.titled("T"))
            #expect(outcome == .failed(reason: "\(path) cannot be written: it is not a regular file"))
            withExtendedLifetime(pipe) {}
        }
    #endif

    @Test("What is no file, or cannot be written, is a failure that names it")
    func failures() async throws {
        for path in [folder.path, "/dev/null", "/proc/none/x", "/dev/full"] {
            let outcome = await FileSink(path: path).deliver(.titled("x"))
            guard case .failed(let reason, _) = outcome else { return #expect(Bool(false), "\(path): \(outcome)") }
            #expect(reason.hasPrefix("\(path) cannot be written: "))
        }
    }
}
