import CrierTesting
import Foundation
import Testing

/// The metrics of a real agent, read by a strict reader of the text format 0.0.4.
@Suite(.timeLimit(.minutes(5))) struct MetricsTests {
    /// What a page says: the samples by name and labels as written, and the type of each metric.
    private struct Page {
        struct Malformed: Error, CustomStringConvertible {
            let description: String
        }

        var samples: [String: Double] = [:]
        var types: [String: String] = [:]

        init(_ text: String) throws {
            guard text.hasSuffix("\n") else { throw Malformed(description: "the last line has no end") }
            var helped: Set<String> = []
            for line in text.split(separator: "\n", omittingEmptySubsequences: false).dropLast() {
                if let match = line.wholeMatch(of: /# HELP ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)/) {
                    guard helped.insert(String(match.1)).inserted else {
                        throw Malformed(description: "twice: \(line)")
                    }
                } else if let match = line.wholeMatch(of: /# TYPE ([a-zA-Z_:][a-zA-Z0-9_:]*) (counter|gauge|histogram)/)
                {
                    guard helped.contains(String(match.1)), types[String(match.1)] == nil else {
                        throw Malformed(description: "out of order: \(line)")
                    }
                    types[String(match.1)] = String(match.2)
                } else {
                    try addSample(line)
                }
            }
            for (name, type) in types where type == "counter" && !name.hasSuffix("_total") {
                throw Malformed(description: "a counter called \(name)")
            }
        }

        private mutating func addSample(_ line: Substring) throws {
            let label = #"[a-zA-Z_][a-zA-Z0-9_]*="([^"\\\n]|\\["\\n])*""#
            let sample = try Regex(#"([a-zA-Z_:][a-zA-Z0-9_:]*)(\{\#(label)(,\#(label))*\})? (\S+)"#)
            guard let match = try sample.wholeMatch(in: line), let name = match[1].substring,
                let number = match[match.count - 1].substring, let value = Double(number)
            else { throw Malformed(description: "no sample: \(line)") }
            let family = String(name.replacing(/_(bucket|sum|count)$/, with: ""))
            guard types[String(name)] != nil || types[family] == "histogram" else {
                throw Malformed(description: "no TYPE before \(line)")
            }
            let key = String(line.dropLast(number.count + 1))
            guard samples.updateValue(value, forKey: key) == nil else { throw Malformed(description: "twice: \(line)") }
        }
    }

    private func page(_ answer: PlainRequest.Answer) throws -> Page {
        #expect(answer.head.hasPrefix("HTTP/1.1 200"))
        #expect(answer.head.lowercased().contains("content-type: text/plain; version=0.0.4; charset=utf-8"))
        return try Page(answer.body)
    }

    @Test func theSocketTellsWhatTheAgentHasDone() async throws {
        let bench = try await AgentBench("  broken: {url: 'http://127.0.0.1:1/'}\n")
        let agent = try await bench.agent()
        try await agent.says("raised count=1 sink=stdout")
        try await agent.says("fetch failed")
        try await bench.crier.run("mute", "1h")
        let page = try page(try PlainRequest.get("/metrics", socket: bench.socket))
        let expected: [String: Double] = [
            #"crier_fetches_total{result="newData"}"#: 1, #"crier_fetches_total{result="noData"}"#: 0,
            #"crier_fetches_total{result="failed"}"#: 1, "crier_fetch_duration_seconds_count": 2,
            #"crier_fetch_duration_seconds_bucket{le="+Inf"}"#: 2, "crier_requests_total": 2, "crier_sources": 2,
            "crier_sources_due": 0, #"crier_deliveries_total{sink="stdout",state="delivered"}"#: 1,
            #"crier_outbox_deliveries{state="held"}"#: 0, #"crier_outbox_deliveries{state="pending"}"#: 0,
            #"crier_wakeups_total{reason="command"}"#: 1, #"crier_wakeups_total{reason="resume"}"#: 0,
            "crier_fetch_bytes_total": Double(atomFeed(1...3).utf8.count),
        ]
        for (sample, value) in expected { #expect(page.samples[sample] == value, "\(sample)") }
        #expect(try #require(page.samples["process_resident_memory_bytes"]) > 1_000_000)
        let start = try #require(page.samples["process_start_time_seconds"])
        #expect(try #require(page.samples["crier_last_success_timestamp_seconds"]) >= start.rounded(.down))
        #expect(page.types["crier_fetches_total"] == "counter")
        #expect(page.types["crier_sources_due"] == "gauge")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aPortIsOpenedWhenTheConfigurationSaysSoAndOnThisMachineAlone() async throws {
        let bench = try await AgentBench()
        let agent = try await bench.agent()
        // One that was free a moment ago.
        let other = try await ScriptedOrigin()
        let port = other.port
        await other.stop()
        try bench.configure([("news", "/feed")], more: "metrics-port: \(port)\n")
        try await agent.says("metrics are served")
        let page = try page(try PlainRequest.get("/metrics", port: port))
        #expect(page.samples["crier_sources"] == 1)
        #expect(try PlainRequest.get("/v1/agent", port: port).head.hasPrefix("HTTP/1.1 404"))
        for host in ["127.0.0.1:\(port)", "LOCALHOST:\(port)", "127.0.0.1", "[::1]:\(port)", "", nil] {
            let answer = try PlainRequest.get("/metrics", port: port, host: host)
            #expect(answer.head.contains(" 200 OK") && !answer.body.isEmpty, "\(host ?? "none")")
        }
        for host in ["rebound.example:\(port)", "127.0.0.1.rebound.example", "localhost.example"] {
            let answer = try PlainRequest.get("/metrics", port: port, host: host)
            #expect(answer.head.hasPrefix("HTTP/1.1 421"), "\(host)")
            #expect(answer.body == "Ask by an address, such as http://127.0.0.1:\(port)/metrics, or by localhost.\n")
        }
        let found = try listeners(port)
        #expect(found == ["0100007F"], "nowhere else")
        try bench.configure([("news", "/feed")])
        try await agent.says("metrics are no longer served")
        #expect(try listeners(port) == [])
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func anotherPortTakesThePlaceOfTheOneBefore() async throws {
        let bench = try await AgentBench()
        let others = [try await ScriptedOrigin(), try await ScriptedOrigin()]
        let ports = others.map(\.port)
        for other in others { await other.stop() }
        try bench.configure([("news", "/feed")], more: "metrics-port: \(ports[0])\n")
        let agent = try await bench.agent()
        try await agent.says("metrics are served port=\(ports[0])")
        try bench.configure([("news", "/feed")], more: "metrics-port: \(ports[1])\n")
        try await agent.says("metrics are no longer served port=\(ports[0])")
        try await agent.says("metrics are served port=\(ports[1])")
        let found = try ports.map(listeners)
        #expect(found == [[], ["0100007F"]])
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aPortThatIsTakenEndsNoAgent() async throws {
        let bench = try await AgentBench()
        try bench.configure([("news", "/feed")], more: "metrics-port: \(bench.origin.port)\n")
        let agent = try await bench.agent()
        try await agent.says("metrics cannot be served: Address already in use port=")
        #expect(try await agent.line() == "Item 3")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }

    @Test func aPortThatWasTakenIsTriedAgainWhenTheConfigurationIsReadAgain() async throws {
        let bench = try await AgentBench()
        let others = [try await ScriptedOrigin(), try await ScriptedOrigin()]
        try bench.configure([("news", "/feed")], more: "metrics-port: \(others[0].port)\n")
        let agent = try await bench.agent()
        try await agent.says("metrics cannot be served")
        agent.send(SIGHUP)
        try await agent.says("metrics cannot be served")
        // Another that cannot be had either.
        try bench.configure([("news", "/feed")], more: "metrics-port: \(others[1].port)\n")
        try await agent.says("metrics cannot be served: Address already in use port=\(others[1].port)")
        for other in others { await other.stop() }
        // A program that another test is about to start may hold the port for a moment still.
        var said = ""
        repeat {
            agent.send(SIGHUP)
            said = try await agent.says("metrics ")
        } while said.contains("cannot be served")
        #expect(said.contains("metrics are served port=\(others[1].port)"))
        let page = try page(try PlainRequest.get("/metrics", port: others[1].port))
        #expect(page.samples["crier_sources"] == 1)
        #expect(await agent.end() == 0)
        let all = await agent.everythingSaid()
        #expect(!all.contains { $0.contains("no longer served") }, "it was served at one port, to the end")
        await bench.origin.stop()
    }

    /// The addresses that listen at a port, as the kernel writes them (proc(5), `/proc/net/tcp`).
    private func listeners(_ port: Int) throws -> Set<String> {
        let digits = String(port, radix: 16, uppercase: true)
        let suffix = ":" + String(repeating: "0", count: 4 - digits.count) + digits
        // Several times: the kernel gives a table in pieces, between which others' sockets move what follows.
        let lines = try (1...3).flatMap { _ in ["tcp", "tcp6"] }.flatMap { table in
            String(
                decoding: try FileHandle(forReadingAtPath: "/proc/net/\(table)")?.readToEnd() ?? Data(), as: UTF8.self
            ).split(separator: "\n")
        }
        return Set(
            lines.compactMap { line in
                let columns = line.split(separator: " ")
                guard columns.count > 3, columns[3] == "0A", columns[1].hasSuffix(suffix) else { return nil }
                return String(columns[1].dropLast(suffix.count))
            })
    }
}
