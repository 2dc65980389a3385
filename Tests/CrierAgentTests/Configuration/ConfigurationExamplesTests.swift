import CrierContent
import CrierFetch
import CrierTesting
import Testing

import class Foundation.FileManager

@testable import CrierAgent

@Suite("The ready configurations load without a problem")
struct ConfigurationExamplesTests {
    private func read(_ name: String) throws -> Configuration {
        try configuration(try Checkout.read("config/\(name).yaml"))
    }

    @Test func gank() throws {
        let source = try #require(try read("gank-daily").sources.first)
        #expect(source.notify == .daily)
        #expect(source.mapping.format == .json)
        #expect(source.mapping.datesAreLocal)
        #expect(source.mapping.timeZone.identifier == "Asia/Shanghai")
        #expect(source.mapping.fields[.title] == #".desc | gsub("\\s+$"; "")"#)
    }

    @Test func gankDigest() throws {
        let read = try read("gank-digest")
        let digest = try #require(read.digests.first)
        #expect(digest.grouping == .category && digest.order == .document && digest.showsImages)
        #expect(digest.language == .simplifiedChinese && digest.timeZone.identifier == "Asia/Shanghai")
        #expect(read.sources.map(\.digests) == [["gank-daily"]] && read.sources.map(\.notify) == [.none])
    }

    @Test func blogs() throws {
        let read = try read("blog-follower")
        #expect(read.sources.count == 4)
        #expect(read.disabledSources.map(\.name) == ["weekly"])
        #expect(read.sources.allSatisfy { $0.sinks == ["desktop"] })
    }

    @Test func team() throws {
        let read = try read("team-webhook")
        guard case .webhook(let settings) = read.sinks.first?.settings else {
            Issue.record("the first sink is no webhook")
            return
        }
        #expect(settings.secret == .environment("CRIER_TEAM_SECRET"))
        #expect(read.sources.map(\.sinks) == [["team", "log"], ["log"], ["log"]])
        #expect(read.sources.contains { if case .command = $0.address { true } else { false } })
    }

    @Test func page() throws {
        let read = try read("page-by-xpath")
        #expect(read.sources.map(\.mapping.format) == [.html, .xml])
        #expect(read.sources.first?.mapping.fields[.title] == "h2")
    }

    @Test("every file names its schema, and no file holds a tab or trailing spaces")
    func style() throws {
        for name in try FileManager.default.contentsOfDirectory(atPath: Checkout.file("config"))
        where name.hasSuffix(".yaml") {
            let text = try Checkout.read("config/\(name)")
            #expect(text.hasPrefix("# yaml-language-server: $schema=./crier.schema.json\n"))
            #expect(!text.contains("\t") && !text.contains(" \n"))
        }
    }
}
