#if DEBUG
    import CrierTesting
    import Foundation
    import Testing

    /// What was put off while the machine's clock was hours ahead, by the built program.
    @Suite(.timeLimit(.minutes(5))) struct ClockAheadTests {
        private func configure(_ crier: BuiltCrier, sink: String) throws {
            try crier.folder.write(
                """
                sinks: {team: {\(sink)}}
                sources:
                  news: {url: 'file://\(crier.folder.file("feed.xml"))', first: all, every: 1s}
                """, to: "crier.yaml")
        }

        /// That of a machine which is right, and the same while it is five hours ahead.
        private func authorizedCrier(sink: String) async throws -> (right: BuiltCrier, ahead: BuiltCrier) {
            let crier = try BuiltCrier()
            try configure(crier, sink: sink)
            try await crier.authorize()
            var ahead = crier
            ahead.environment["CRIER_CLOCK_OFFSET"] = "\(5 * 3600)"
            return (crier, ahead)
        }

        @Test func whatFailedThenWaitsAsLongAsItWasToOnceItIsRight() async throws {
            let (crier, ahead) = try await authorizedCrier(sink: "kind: webhook, url: 'http://127.0.0.1:1/in'")
            for number in 3...7 {
                try crier.folder.write(atomFeed(1...number), to: "feed.xml")
                try await ahead.run("fetch", "--force", "--quiet")
            }
            #expect(try await ahead.run("status").output.contains("The sink team is paused until "))
            #expect(try await crier.run("status").output.contains("The sink team is paused until "))
            // The sink works again.
            let file = crier.folder.file("out.txt")
            try configure(crier, sink: "kind: file, path: '\(file)'")
            try await crier.run("fetch", "--force", "--quiet")
            #expect(!FileManager.default.fileExists(atPath: file), "it is left alone for as long as it was to be")
            var later = crier
            later.environment["CRIER_CLOCK_OFFSET"] = "3000"
            try await later.run("fetch", "--force", "--quiet")
            let told = try String(contentsOfFile: file, encoding: .utf8)
            for number in 1...7 { #expect(told.contains("Item \(number)"), "\(told)") }
            #expect(try await !crier.run("status").output.contains("to be delivered"))
        }

        @Test func whatWasPutOffThenWaitsAsLongAsItWasToOnceItIsRight() async throws {
            let (crier, ahead) = try await authorizedCrier(sink: "kind: exec, command: [sh, -c, 'exit 75']")
            try crier.folder.write(atomFeed(1...1), to: "feed.xml")
            try await ahead.run("fetch", "--force", "--quiet")
            let file = crier.folder.file("out.txt")
            try configure(crier, sink: "kind: file, path: '\(file)'")
            try await ahead.run("fetch", "--force", "--quiet")
            #expect(!FileManager.default.fileExists(atPath: file), "at that time it waited rightly")
            try await crier.run("fetch", "--force", "--quiet")
            var later = crier
            later.environment["CRIER_CLOCK_OFFSET"] = "100"
            try await later.run("fetch", "--force", "--quiet")
            #expect(try String(contentsOfFile: file, encoding: .utf8).contains("Item 1"))
        }

        @Test func theNextVisitIsToldAsItWillBe() async throws {
            let (crier, ahead) = try await authorizedCrier(sink: "kind: stdout")
            try crier.folder.write(atomFeed(1...1), to: "feed.xml")
            try crier.folder.write(
                "sources: {news: {url: 'file://\(crier.folder.file("feed.xml"))', every: 1h}}", to: "crier.yaml")
            try await ahead.run("fetch", "--quiet")
            #expect(try await ahead.run("status").output.contains(/news .* in 1 h\n/))
            #expect(try await crier.run("status").output.contains(/news .* now\n/))
            #expect(try await crier.run("why", "news").output.contains("due now, set by the clock, which was ahead"))
        }
    }
#endif
