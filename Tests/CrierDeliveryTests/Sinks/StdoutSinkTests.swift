import CrierDelivery
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@Suite("Standard output")
struct StdoutSinkTests {
    @Test("Text is a title with indented lines below it")
    func text() async throws {
        let content = NotificationContent(
            title: "干货更新啦", subtitle: "3 new", body: "One\n\nTwo", url: "https://gank.io/")
        let written = try await output { await $0.deliver(.of(content)) }
        #expect(written == "干货更新啦\n  3 new\n  One\n\n  Two\n  https://gank.io/\n")
    }

    @Test("A title is bold on a terminal, and something stands where there is none")
    func titles() async throws {
        #expect(try await output(isTerminal: true) { await $0.deliver(.titled("Hi")) } == "\u{1b}[1mHi\u{1b}[0m\n")
        let untitled = NotificationContent(title: " \u{200b}", body: "text", threadIdentifier: "gank")
        #expect(try await output { await $0.deliver(.of(untitled)) } == "gank\n  text\n")
        #expect(try await output { await $0.deliver(.titled("")) } == "(no title)\n")
    }

    @Test("Nothing of outsiders steers the terminal", arguments: StdoutSink.Format.allCases)
    func hostile(format: StdoutSink.Format) async throws {
        let content = NotificationContent(
            title: hostileTitle, subtitle: hostileTitle, body: hostileTitle, threadIdentifier: hostileTitle,
            categoryIdentifier: hostileTitle, userInfo: ["items": [.string(hostileTitle)], hostileTitle: .null],
            url: hostileTitle)
        let written = try await output(format) { await $0.deliver(.of(content, identifier: hostileTitle)) }
        #expect(written.isHarmless)
        #expect(written.contains("<script>gpj"))
    }

    @Test("JSON is one line with all keys in a fixed order")
    func json() async throws {
        let content = NotificationContent(
            title: "T", subtitle: "S", body: "a\nb", badge: 2, threadIdentifier: "gank", categoryIdentifier: "feed",
            interruptionLevel: .timeSensitive, relevanceScore: 0.5,
            userInfo: ["items": [["id": "1", "title": "One", "published": .null]], "day": "2026-11-21"],
            attachments: [NotificationAttachment(url: "https://gank.io/a.png", type: "image/png")],
            url: "https://gank.io/")
        let full = try await output(.json) { await $0.deliver(.of(content)) }
        #expect(
            full == #"{"identifier":"gank:1","source":"gank","title":"T","subtitle":"S","body":"a\nb","#
                + #""url":"https://gank.io/","level":"time-sensitive","date":"2026-11-21T08:30:00Z","category":"feed","#
                + #""sound":"default","badge":2,"relevance":0.5,"#
                + #""attachments":[{"type":"image/png","url":"https://gank.io/a.png"}],"#
                + #""items":[{"id":"1","published":null,"title":"One"}],"userInfo":{"day":"2026-11-21"},"revision":1,"omittedItems":0}"#
                + "\n")
        let silent = NotificationContent(title: "T", sound: nil)
        let least = try await output(.json) { await $0.deliver(.of(silent)) }
        #expect(
            least == #"{"identifier":"gank:1","source":"","title":"T","subtitle":"","body":"","url":null,"#
                + #""level":"active","date":"2026-11-21T08:30:00Z","category":"","sound":null,"badge":null,"#
                + #""relevance":0,"attachments":[],"items":[],"userInfo":{},"revision":1,"omittedItems":0}"# + "\n")
    }

    @Test("A template stands for the format, and its line is ended", arguments: ["{{title}}!", "{{title}}!\n"])
    func template(text: String) async throws {
        let pipe = Pipe()
        let sink = StdoutSink(
            format: .json, template: try NotificationTemplate(text, escaping: .plain),
            output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        for title in ["One", hostileTitle] { #expect(await sink.deliver(.titled(title)) == .delivered()) }
        try pipe.fileHandleForWriting.close()
        let written = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(written.hasPrefix("One!\n") && written.hasSuffix("!\n") && written.isHarmless, "\(written)")
        #expect(written.split(separator: "\n", omittingEmptySubsequences: false).count == 3)
    }

    @Test("A closed reading end is a failure, and the process lives")
    func closedReader() async throws {
        let pipe = Pipe()
        let sink = StdoutSink(format: .text, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        try pipe.fileHandleForReading.close()
        for _ in 1...2 {
            let outcome = await sink.deliver(.titled("Hi"))
            #expect(outcome == .failed(reason: "the output cannot be written: Broken pipe"))
        }
        try pipe.fileHandleForWriting.close()
    }

    @Test("A relevance beyond its range is the nearest", arguments: [(7.0, "1"), (-7.0, "0")])
    func relevance(score: Double, told: String) async throws {
        let pipe = Pipe()
        let sink = StdoutSink(format: .json, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        let content = NotificationContent(title: "T", relevanceScore: score)
        let request = NotificationRequest(identifier: "1", content: content)
        #expect(await sink.deliver(DeliveryAttempt(request: request, created: Date())) == .delivered())
        try pipe.fileHandleForWriting.close()
        let line = String(decoding: try pipe.fileHandleForReading.readToEnd() ?? Data(), as: UTF8.self)
        #expect(line.contains("\"relevance\":\(told),"), "\(line)")
    }

    @Test("A descriptor that is not open is a failure", arguments: [999_999, -1])
    func notOpen(number: Int32) async {
        let outcome = await StdoutSink(format: .text, output: DescriptorWriter(number)).deliver(.titled("Hi"))
        guard case .failed = outcome else { return #expect(Bool(false), "\(outcome)") }
    }

    @Test("A reader that does not read is not waited for for ever, and the next line begins on its own")
    func slowReader() async throws {
        let pipe = Pipe()
        let sink = StdoutSink(
            format: .text, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor), limit: .milliseconds(20))
        let outcome = await sink.deliver(.titled(String(repeating: "x", count: 1 << 20)))
        #expect(outcome == .failed(reason: "the output cannot be written: Connection timed out"))
        let stuck = pipe.fileHandleForReading.availableData
        #expect(!stuck.isEmpty)
        #expect(await sink.deliver(.titled("next")) == .delivered())
        try pipe.fileHandleForWriting.close()
        let rest = try #require(try pipe.fileHandleForReading.readToEnd())
        #expect(String(decoding: rest, as: UTF8.self).hasSuffix("x\nnext\n"))
    }

    @Test("A reader may be waited for for ages", arguments: [Duration.seconds(Int64.max / 100), .seconds(1e20)])
    func patientWriter(limit: Duration) async throws {
        let pipe = Pipe()
        let sink = StdoutSink(
            format: .text, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor), limit: limit)
        async let read = OwnThreads.everything(in: pipe.fileHandleForReading)
        #expect(await sink.deliver(.titled(String(repeating: "x", count: 1 << 20))) == .delivered())
        try pipe.fileHandleForWriting.close()
        #expect(try await read.utf8.count == 1 << 20 + 1)
    }

    @Test("A reader that does not read keeps nothing else waiting, though all work has one thread")
    func stalledReader() async throws {
        let pipe = Pipe()
        let sink = StdoutSink(format: .text, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        let title = String(repeating: "x", count: 1 << 20)
        let delivery = Task(executorPreference: QuietLane.shared) { await sink.deliver(.titled(title)) }
        // Has its turn only when the one before it has given up the thread.
        let reading = Task(executorPreference: QuietLane.shared) {
            try await OwnThreads.everything(in: pipe.fileHandleForReading)
        }
        #expect(await delivery.value == .delivered())
        try pipe.fileHandleForWriting.close()
        #expect(try await reading.value == title + "\n")
    }

    @Test("A run that is stopped does not wait for a reader, and holds nothing against the output")
    func stopped() async throws {
        let pipe = Pipe()
        let sink = StdoutSink(format: .text, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        let delivery = Task { await sink.deliver(.titled(String(repeating: "x", count: 1 << 20))) }
        delivery.cancel()
        #expect(await delivery.value == .deferred(reason: "the run was stopped"))
        withExtendedLifetime(pipe) {}
    }

    @Test("A terminal that stands still is not waited for either, and is as it was for others")
    func stalledTerminal() async throws {
        var (reader, writer): (Int32, Int32) = (-1, -1)
        try #require(openpty(&reader, &writer, nil, nil, nil) == 0)
        defer { for end in [reader, writer] { close(end) } }
        let sink = StdoutSink(format: .text, output: DescriptorWriter(writer), limit: .milliseconds(20))
        // Lines of several lengths: one of them finds less room than it needs, and more than none.
        for count in 1...50 { _ = await sink.deliver(.titled(String(repeating: "x", count: 1000 + count))) }
        let outcome = await sink.deliver(.titled("next"))
        #expect(outcome == .failed(reason: "the output cannot be written: Connection timed out"))
        #expect(fcntl(writer, F_GETFL) & O_NONBLOCK == 0)
    }

    @Test("Notifications raised at the same time do not mix")
    func serialised() async throws {
        let bodies = (0..<8).map { String(repeating: "\($0)", count: 40_000) }
        let written = try await output { sink in
            await withTaskGroup { group in
                for body in bodies {
                    group.addTask { _ = await sink.deliver(.titled(body)) }
                }
            }
            return .delivered()
        }
        let lines = written.split(separator: "\n").map { String($0) }
        #expect(lines.sorted() == bodies)
    }

    @Test("Nor do those of several sinks with one output")
    func sharedOutput() async throws {
        let pipe = Pipe()
        let output = DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor)
        let reader = pipe.fileHandleForReading
        async let read = OwnThreads.everything(in: reader)
        let bodies = (0..<8).map { String(repeating: "\($0)", count: 200_000) }
        await withTaskGroup { group in
            for body in bodies {
                group.addTask { _ = await StdoutSink(format: .text, output: output).deliver(.titled(body)) }
            }
        }
        try pipe.fileHandleForWriting.close()
        #expect(try await read.split(separator: "\n").map(String.init).sorted() == bodies)
    }

    @Test("What another sink has written in part is ended before the next begins")
    func cutByAnother() async throws {
        let pipe = Pipe()
        let output = DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor)
        let long = String(repeating: "x", count: 1 << 20)
        let impatient = StdoutSink(format: .text, output: output, limit: .milliseconds(20))
        #expect(await impatient.deliver(.titled(long)) != .delivered())
        let reader = pipe.fileHandleForReading
        async let read = OwnThreads.everything(in: reader)
        #expect(await StdoutSink(format: .text, output: output).deliver(.titled("next")) == .delivered())
        try pipe.fileHandleForWriting.close()
        let lines = try await read.split(separator: "\n")
        #expect(lines.count == 2 && lines[1] == "next")
    }

    /// What `deliver` writes to a pipe that is read meanwhile.
    private func output(
        _ format: StdoutSink.Format = .text, isTerminal: Bool = false,
        _ deliver: (StdoutSink) async throws -> DeliveryOutcome
    ) async throws -> String {
        let pipe = Pipe()
        let reader = pipe.fileHandleForReading
        async let read = OwnThreads.everything(in: reader)
        let sink = StdoutSink(
            format: format, isTerminal: isTerminal, output: DescriptorWriter(pipe.fileHandleForWriting.fileDescriptor))
        #expect(try await deliver(sink) == .delivered())
        try pipe.fileHandleForWriting.close()
        return try await read
    }
}
