import CrierTesting
import Foundation
import Testing

/// What an origin sends without end or packed small does not fill the memory.
@Suite(.enabled(if: FileManager.default.isExecutableFile(atPath: "/usr/bin/python3"), "there is no python3 here"))
struct HostileMemoryTests {
    /// The greatest resident memory of `crier try`, in KiB.
    private func peak(_ answer: ScriptedAnswer) async throws -> Int {
        let origin = try await ScriptedOrigin()
        await origin.script("/feed", [answer])
        let crier = try BuiltCrier()
        let program =
            "import resource, subprocess, sys; subprocess.run(sys.argv[1:], stdout=2)\n"
            + "print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss)"
        let process = crier.process(["-c", program, BuiltCrier.binary, "try", origin.url("/feed")])
        process.executableURL = URL(filePath: "/usr/bin/python3")
        let path = try crier.folder.write("", to: "peak")
        process.standardOutput = try FileHandle(forWritingTo: URL(filePath: path))
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        await origin.stop()
        return try #require(Int((crier.folder.read("peak") ?? "").trimmingCharacters(in: .whitespacesAndNewlines)))
    }

    @Test func hostileAnswersTakeLessThan64MiBMore() async throws {
        let idle = try await peak(ScriptedAnswer(body: atomFeed(1...1)))
        let chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n"
        let answers: [(String, ScriptedAnswer)] = [
            ("body", .endless("HTTP/1.1 200 OK\r\n\r\n", "a")),
            ("chunks", .endless(chunked + "\r\n", "1\r\na\r\n")),
            ("chunk extensions", .endless(chunked + "\r\n5", ";a=b")),
            ("trailers", .endless(chunked + "\r\n0\r\n", "X: a\r\n")),
            ("fields", .endless("HTTP/1.1 200 OK\r\n", "X: a\r\n")),
            ("interim answers", .endless("", "HTTP/1.1 100 Continue\r\n\r\n")),
            ("gzip", bomb("gzip", try packed("gzip"))), ("deflate", bomb("deflate", try packed("zlib"))),
            ("br", bomb("br", brotliBomb)),
            // A mebibyte for each 8 bytes (RFC 8878 §3.1.1.2.1), and a window for it.
            ("zstd", zstandardBomb), ("redirect", .endless("HTTP/1.1 302 F\r\nLocation: /x\r\n\r\n", "a")),
        ]
        for (name, answer) in answers {
            let more = try await peak(answer) - idle
            #expect(more < 64 << 10, "\(name): \(more) KiB")
        }
    }

    private func bomb(_ coding: String, _ body: [UInt8]) -> ScriptedAnswer {
        ScriptedAnswer(fields: ["Content-Encoding": coding], body: body)
    }

    /// 200 MiB of zeros.
    private func packed(_ module: String) throws -> [UInt8] {
        let process = ChildProcess()
        process.executableURL = URL(filePath: "/usr/bin/python3")
        process.arguments = [
            "-c", "import sys, \(module); sys.stdout.buffer.write(\(module).compress(bytes(200 << 20)))",
        ]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        return [UInt8](output.fileHandleForReading.readDataToEndOfFile())
    }

    /// 200 MiB of zeros: as libbrotlienc packs them (RFC 7932 §9.2).
    private var brotliBomb: [UInt8] {
        let text = """
            y///PwAkAOKxQHLv//j//weABEAcFoDu/R////8AkACIwwLQvf/j//8fABIAcVgAuvd//P//A0ACIA4LQPf+j///fwBIAMRhAeje//H//w8ACYA4\
            LADd+z/+//8BIAEQhwWge//H//8/ACQA4rAAdO//+P//B4AEQBwWgO79H////wCQAIjDAtC9/+P//x8AEgBxWAC693/8//8DQAIgDgtA9/6P//9/\
            AEgAxGEB6N7/8f//DwAJgDgsAN37P/7//wEgARCHBaB7/8f//z8AJADisAB07//4//8HgARAHBaA7v0f////AJAAiMMC0L3/4///HwASAHFYALr3\
            f/z//wNAAiAOC0D3/o///38ASADEYQHo3v/x//8PAAmAOCwA3fs//v//ASABEIcFoHv/l///fwAkAOKwAHTv/wA=
            """
        return [UInt8](Data(base64Encoded: text) ?? Data())
    }

    /// Frame header with a window of 1 MiB, and blocks that each repeat one byte 128 Ki times, without end.
    private var zstandardBomb: ScriptedAnswer {
        let block: [UInt8] = [0x02, 0x00, 0x10, 0x61]
        let head = Array("HTTP/1.1 200 OK\r\nContent-Encoding: zstd\r\n\r\n".utf8)
        return ScriptedAnswer(steps: [
            .bytes(head + [0x28, 0xb5, 0x2f, 0xfd, 0, 0x50]),
            .endless(Array(repeatElement(block, count: 1000).joined())),
        ])
    }
}
