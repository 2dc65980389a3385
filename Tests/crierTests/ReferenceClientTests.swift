import CrierTesting
import Foundation
import Testing

/// The defects of the iOS client that the idea comes from, each as a test of the built program against a content API of its shape.
@Suite struct ReferenceClientTests {
    /// A content API that gives one day's content, as `/api/today` and `/api/day/Y/M/D` do.
    private static func day(_ published: [String], error: String = #""error":false,"#) -> String {
        let items = published.enumerated().map { index, date in
            """
            {"_id":"5913cd08421aa90c7d49ad8\(index)","createdAt":"\(date)","desc":"第\(index)条\\n ","images":["https://img.example/\(index)"],\
            "publishedAt":"\(date)","source":"web","type":"iOS","url":"https://e.example/\(index)","used":true,"who":null,\
            "user":{"email":"someone@e.example","access_token":"gho_secret"}}
            """
        }
        return "{\"category\":[\"iOS\"],\(error)\"results\":{\"iOS\":[\(items.joined(separator: ","))]}}"
    }

    private static func timestamp(hoursAgo: Double) -> String {
        Date(timeIntervalSinceNow: -hoursAgo * 3600).formatted(
            Date.ISO8601FormatStyle(includingFractionalSeconds: true))
    }

    private func gank(_ origin: ScriptedOrigin, zone: String = "UTC", more: String = "", sinks: String = "") throws
        -> BuiltCrier
    {
        try BuiltCrier(
            """
            \(sinks)
            sources:
              gank:
                url: '\(origin.url("/api/today"))'
                format: json
                time-zone: \(zone)
                items: .results[][]
                fields: {id: ._id, title: .desc, url: .url, published: .publishedAt, author: .who, attachment: .images}
                when: .error == false
                notify: daily
                title: 干货更新啦
            \(more)
            """)
    }

    private func serve(_ origin: ScriptedOrigin, _ body: String) async {
        await origin.script("/api/today", [ScriptedAnswer(body: body)])
    }

    @Test func defect1ContentThatIsNotOfTodayEndsTheFetchWithAResult() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try gank(origin, more: "    first: none\n")
        try await crier.authorize()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 72)]))
        let run = try await crier.run("fetch", "--exit-code")
        #expect([0, 10].contains(run.status))
        #expect(try await crier.run("fetch", "--force", "--exit-code").status == 10)
        await origin.stop()
    }

    @Test func defect2TheDayIsNotLostWhenItCannotBeRaised() async throws {
        let origin = try await ScriptedOrigin()
        let receiver = try await ScriptedOrigin()
        await receiver.script("/", [ScriptedAnswer(status: 500), ScriptedAnswer(status: 204)])
        let crier = try gank(origin, sinks: "sinks: {team: {kind: webhook, url: '\(receiver.url("/"))'}}")
        try await crier.authorize()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        let failed = try await crier.run("fetch")
        #expect(failed.errors.contains("team: 1 not delivered yet: "))
        let before = try await crier.run("status", "--format", "json").objects
        #expect(before.first?["lastNotified"] is NSNull, "the last-notified date moves on acceptance")
        _ = try await crier.run("deliveries", "retry", "--all")
        _ = try await crier.run("fetch")
        let requests = await receiver.requests
        #expect(requests.count == 2)
        #expect(Set(requests.map { $0.fields["webhook-id"] }).count == 1)
        let after = try await crier.run("status", "--format", "json").objects
        #expect(after.first?["lastNotified"] is String)
        await origin.stop()
        await receiver.stop()
    }

    @Test func defect3ADayThatWasMissedIsToldLater() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try gank(origin)
        try await crier.authorize()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 120)]))
        _ = try await crier.run("fetch")
        let missed = Self.timestamp(hoursAgo: 48)
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 120), missed]))
        let run = try await crier.run("fetch", "--force")
        #expect(run.output.contains("干货更新啦"))
        #expect(run.output.contains(String(missed.prefix(10))))
        #expect(try await crier.run("fetch", "--force").output == "Nothing new in 1 source.\n")
        await origin.stop()
    }

    @Test func defect4TheDayIsTheSourcesAndNotTheDevices() async throws {
        let origin = try await ScriptedOrigin()
        // The same moment is one day in Kiritimati (+14) and the day before in Niue (-11), wherever this runs.
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        var days: [String] = []
        for zone in ["Pacific/Kiritimati", "Pacific/Niue"] {
            let crier = try gank(origin, zone: zone)
            try await crier.authorize()
            _ = try await crier.run("fetch")
            let delivery = try await crier.run("deliveries", "--all", "--format", "json").objects
            days.append(delivery.first?["identifier"] as? String ?? "")
        }
        #expect(days.count == 2 && days[0] > days[1], "\(days)")
        await origin.stop()
    }

    @Test func defect5TheFirstRunNotifiesOnlyIfItIsToldTo() async throws {
        let origin = try await ScriptedOrigin()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        let crier = try gank(origin, more: "    first: none\n")
        try await crier.authorize()
        #expect(!(try await crier.run("fetch").output.contains("干货更新啦")))
        #expect(try await crier.run("deliveries", "--all", "--format", "json").output == "")
        await origin.stop()
    }

    @Test func defect6WhatTheUserTurnedOffStaysOffAndTheScheduleOutlivesAStart() async throws {
        let origin = try await ScriptedOrigin()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        let crier = try gank(origin, more: "  off: {url: '\(origin.url("/off"))', enabled: false}\n")
        for _ in 0..<3 { _ = try await crier.run("fetch") }
        #expect(await origin.requests.map(\.target) == ["/api/today"])
        await origin.stop()
    }

    @Test func defect7FetchingDoesNotTurnOnWhatWasDenied() async throws {
        let origin = try await ScriptedOrigin()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        let crier = try gank(origin)
        _ = try await crier.run("authorize", "--deny")
        let run = try await crier.run("fetch")
        #expect(!run.output.contains("干货更新啦"))
        let deliveries = try await crier.run("deliveries", "--all", "--format", "json").objects
        #expect(deliveries.map { $0["state"] as? String } == ["suppressed"])
        #expect(try await crier.run("status", "--format", "json").objects.last?["authorization"] as? String == "denied")
        await origin.stop()
    }

    @Test func defect8ShapesThatVaryAreRead() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try gank(origin)
        try await crier.authorize()
        // No pictures' category, an item without images and one with a list of them, a null author.
        let body = Self.day([Self.timestamp(hoursAgo: 0), Self.timestamp(hoursAgo: 0)])
            .replacing(#""images":["https://img.example/0"],"#, with: "")
        await serve(origin, body)
        let run = try await crier.run("try", "gank", "--format", "json")
        #expect(run.objects.map { $0["title"] as? String } == ["第0条", "第1条"])
        #expect(run.objects.map { ($0["attachments"] as? [Any])?.count } == [0, 1])
        #expect(run.objects.allSatisfy { ($0["authors"] as? [Any])?.isEmpty == true })
        await origin.stop()
    }

    @Test func defect9UndecidedIsNotNoAndWhatIsStoredIsReadBack() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try gank(origin)
        #expect(
            try await crier.run("status", "--format", "json").objects.last?["authorization"] as? String
                == "notDetermined")
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        #expect(try await crier.run("fetch").status == 77)
        try await crier.authorize()
        // The held notification comes back from the file, whole.
        let run = try await crier.run("fetch", "--format", "json")
        #expect(run.objects.first?["title"] as? String == "干货更新啦")
        #expect((run.objects.first?["items"] as? [[String: Any]])?.first?["title"] as? String == "第0条")
        // An envelope without the key is not a success of which nothing is known.
        await serve(origin, Self.day([], error: ""))
        #expect(try await crier.run("fetch", "--force").errors.contains("gank: decode failed: "))
        await origin.stop()
    }

    @Test func secretsOfOthersInAnAnswerAreNeitherStoredNorForwarded() async throws {
        let origin = try await ScriptedOrigin()
        let crier = try gank(origin)
        try await crier.authorize()
        await serve(origin, Self.day([Self.timestamp(hoursAgo: 0)]))
        let run = try await crier.run("fetch", "--format", "json")
        #expect(!run.output.contains("gho_secret"))
        let files = try FileManager.default.contentsOfDirectory(atPath: crier.folder.path)
        for file in files {
            let bytes = FileManager.default.contents(atPath: crier.folder.file(file)) ?? Data()
            #expect(bytes.range(of: Data("gho_secret".utf8)) == nil, "\(file)")
        }
        await origin.stop()
    }
}
