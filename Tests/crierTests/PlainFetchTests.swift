import Testing

@testable import crier

/// What is read without ArgumentParser is what it would have read.
@Suite struct PlainFetchTests {
    private static let words = [
        ["--force"], ["--scheduled"], ["--dry-run"], ["--quiet"], ["--exit-code"], ["--format", "json"],
        ["--format", "text"], ["--config", "a b.yaml"], ["--state", "s.sqlite"], ["news"], ["über"],
    ]

    private func plain(_ arguments: [String]) -> FetchRun? { FetchRun(plain: arguments[...]) }

    /// Each word alone, each two of them in each order, and twice.
    @Test func whatItReadsIsWhatArgumentParserReads() throws {
        for first in [[]] + Self.words {
            for second in [[]] + Self.words {
                let arguments = first + second
                let parsed = try? Fetch.parse(arguments).plan
                #expect(plain(arguments) == parsed, "\(arguments)")
            }
        }
        let all = Self.words.filter { $0 != ["--scheduled"] }.flatMap(\.self)
        let parsed = try Fetch.parse(all).plan
        #expect(plain(all) == parsed)
    }

    @Test(arguments: [
        ["--format"], ["--format", "xml"], ["--format=json"], ["--config"], ["--config", ""], ["--config", "--force"],
        ["--state"], ["--state", "-"], ["--help"], ["-h"], ["--version"], ["--"], ["--", "news"], ["-"], [""],
        ["--forse"],
        ["--scheduled", "--force"], ["--scheduled", "news"], ["--generate-completion-script"],
    ])
    func theRestIsLeftToIt(arguments: [String]) {
        #expect(plain(arguments) == nil)
        #expect(plain(["--quiet"] + arguments) == nil)
    }
}
