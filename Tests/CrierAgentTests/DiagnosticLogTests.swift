import CrierTesting
import Foundation
import Logging
import Testing

@testable import CrierAgent

@Suite(.timeLimit(.minutes(1))) struct DiagnosticLogTests {
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

    @Test func aReaderThatIsGoneEndsNothing() throws {
        let pipe = Pipe()
        let log = DiagnosticLog(
            format: .json, level: .info, isJournal: false, descriptor: pipe.fileHandleForWriting.fileDescriptor)
        try pipe.fileHandleForReading.close()
        for _ in 1...2 { Logger(label: "test") { _ in log }.info("unheard") }
    }
}
