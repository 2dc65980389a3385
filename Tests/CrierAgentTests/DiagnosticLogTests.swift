import CrierTesting
import Foundation
import Logging
import Testing

@testable import CrierAgent

@Suite(.timeLimit(.minutes(5))) struct DiagnosticLogTests {
    @Test func aReaderThatDoesNotReadKeepsNobodyWaitingAndIsToldHowMuchItMissed() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let logger = Logger(label: "test") { _ in
            DiagnosticLog(format: .text, level: .info, isJournal: false, descriptor: descriptor)
        }
        let said = (1...4000).map { "\($0) " + String(repeating: "x", count: 100) }
        for line in said { logger.info("\(line)") }
        let first = pipe.fileHandleForReading.availableData
        logger.info("and on it goes")
        try pipe.fileHandleForWriting.close()
        let rest = try await OwnThreads.everything(in: pipe.fileHandleForReading)
        let lines = (String(decoding: first, as: UTF8.self) + rest).split(separator: "\n")
        let written = lines.dropLast(2)
        #expect(written.count < said.count)
        for (line, said) in zip(written, said) { #expect(line.hasSuffix(" info: \(said)")) }
        let notice =
            "warning: lines were dropped here, as they were not read in time count=\(said.count - written.count)"
        #expect(lines.dropLast().last?.hasSuffix(notice) == true)
        #expect(lines.last?.hasSuffix("info: and on it goes") == true)
    }

    @Test func linesOfJSONShowNothingThatSteersATerminalAndLoseNothing() async throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        let logger = Logger(label: "test") { _ in
            DiagnosticLog(format: .json, level: .info, isJournal: false, descriptor: descriptor)
        }
        let harmful = "a\u{9b}1m\u{202e}\u{200b}\u{e0041}"
        logger.info("\(harmful)", metadata: ["source": "\(harmful)"])
        let line = pipe.fileHandleForReading.availableData
        #expect(line.allSatisfy { $0 < 0x80 } && line.last == UInt8(ascii: "\n"))
        let said = try JSONSerialization.jsonObject(with: line) as? [String: String]
        #expect(said?["message"] == harmful && said?["source"] == harmful)
    }

    /// systemd.exec(5), sd-daemon(3).
    @Test func theJournalIsKnownByItsStreamAndToldTheLevelAndNoTime() throws {
        let pipe = Pipe()
        let descriptor = pipe.fileHandleForWriting.fileDescriptor
        var status = stat()
        try #require(fstat(descriptor, &status) == 0)
        let stream = ["JOURNAL_STREAM": "\(status.st_dev):\(status.st_ino)"]
        #expect(DiagnosticLog.isJournal(stream, descriptor: descriptor))
        #expect(!DiagnosticLog.isJournal(stream, descriptor: pipe.fileHandleForReading.fileDescriptor + 1000))
        #expect(!DiagnosticLog.isJournal(["JOURNAL_STREAM": "1:2"], descriptor: descriptor))
        let logger = Logger(label: "test") { _ in
            DiagnosticLog(format: .text, level: .info, isJournal: true, descriptor: descriptor)
        }
        logger.warning("a", metadata: ["b": "c"])
        let line = String(decoding: pipe.fileHandleForReading.availableData, as: UTF8.self)
        #expect(line == "<4>a b=c\n")
    }

    @Test func aReaderThatIsGoneEndsNothing() throws {
        let pipe = Pipe()
        let log = DiagnosticLog(
            format: .json, level: .info, isJournal: false, descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        for _ in 1...2 { Logger(label: "test") { _ in log }.info("unheard") }
    }
}
