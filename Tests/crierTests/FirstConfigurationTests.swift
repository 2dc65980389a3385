import CrierTesting
import Foundation
import Testing

@Suite("Before there is a configuration, and where it is no file")
struct FirstConfigurationTests {
    private func feed(_ crier: BuiltCrier) throws -> String {
        "file://" + (try crier.folder.write(atomFeed(1...1), to: "feed.xml"))
    }

    @Test func theFirstSourceIsTriedAndAddedWithoutAComplaint() async throws {
        let crier = try BuiltCrier()
        let feed = try feed(crier)
        for command in ["try", "add"] {
            let run = try await crier.run(command, feed)
            #expect(run.status == 0)
            #expect(run.errors == "")
        }
    }

    @Test func anAddressWithoutItsBeginningIsNoSourceAlsoWhereThereIsNoConfiguration() async throws {
        let words = "crier: no source is called swift.org; an address begins with https://, http:// or file:///\n"
        for crier in [try BuiltCrier(), try BuiltCrier("sources: {}\n")] {
            let run = try await crier.run("try", "swift.org")
            #expect(run.status == 64)
            #expect(run.errors == words)
        }
        #expect(try await BuiltCrier().run("try", "news").status == 66)
    }

    @Test func aConfigurationThatCannotBeReadIsNothingToAnAddress() async throws {
        let crier = try BuiltCrier()
        try FileManager.default.createSymbolicLink(
            atPath: crier.folder.file("crier.yaml"), withDestinationPath: "/proc/self/mem")
        let run = try await crier.run("try", try feed(crier))
        #expect(run.status == 0)
        #expect(run.errors == "")
    }

    @Test func aPipeIsNotWaitedFor() async throws {
        let crier = try BuiltCrier()
        #expect(mkfifo(crier.folder.file("crier.yaml"), 0o600) == 0)
        let run = try await crier.run("try", try feed(crier))
        #expect(run.status == 0 && run.errors == "", "\(run)")
        for (arguments, status, word) in [
            (["fetch"], 66, "read"), (["check"], 66, "read"), (["agent"], 66, "read"),
            (["remove", "a"], 74, "replaced"),
        ] {
            let run = try await crier.run(arguments)
            #expect(run.status == Int32(status), "\(arguments)")
            #expect(run.errors.hasSuffix("crier.yaml: it is no regular file, and no other is \(word)\n"), "\(run)")
        }
        #expect(try await crier.run("doctor").output.contains("it is no regular file"))
    }
}
