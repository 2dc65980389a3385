import CrierHTTP
import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierDelivery
@testable import CrierFetch

/// A click on a digest's notification opens its page: on a real desktop, with a program in place of `xdg-open` that tells what
/// it is to open.
@Suite(
    "A click on a digest", .serialized,
    .enabled(if: DesktopSession.isPossible, "needs dunst, Xvfb, dbus-run-session, libnotify-bin"))
struct DigestClickTests {
    private let folder: TemporaryFolder

    init() throws {
        folder = try TemporaryFolder()
        // Whoever reads the pipe waits for the click, and is told by its end when nobody waits for one any more.
        try folder.write(
            "#!/bin/sh\necho \"$1\" > '\(folder.file("opened"))'\n", to: "bin/xdg-open", isExecutable: true)
        try #require(mkfifo(folder.file("opened"), 0o600) == 0)
    }

    private func sink(
        _ session: DesktopSession, _ more: [String: String] = [:], looks: DigestLooks = DigestLooks(), limit: Int = 20
    ) -> DesktopSink {
        var variables = session.variables.merging(more) { $1 }
        variables["PATH"] = "\(folder.file("bin")):\(variables["PATH"] ?? "")"
        return DesktopSink(
            environment: DesktopEnvironment(variables: variables, userID: 0), expiration: .seconds(3600),
            limit: .seconds(60),
            pages: DigestPages(folder: folder.file("state/pages"), looks: looks, limit: limit))
    }

    private func opened(afterClickIn session: DesktopSession) async throws -> String {
        var path = ""
        try await withProgram("cat", [folder.file("opened")]) { reader in
            try await session.click()
            path = try await reader.firstLine()
        }
        return path
    }

    @Test func opensTheWholePageAlsoAfterTheRunThatRaisedIt() async throws {
        _ = try await DesktopSession.run(in: folder) { session in
            let outcome = await sink(session).deliver(try DigestSinkTests.attempt())
            guard case .delivered(_?, _) = outcome else { return #expect(Bool(false), "\(outcome)") }
            let path = try await opened(afterClickIn: session)
            let html = try String(contentsOfFile: path, encoding: .utf8)
            #expect(html == DigestLooks().html(of: try DigestLooksTests.page(.english)))
            let files = FileManager.default
            #expect(try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int == 0o600)
            let pages = (path as NSString).deletingLastPathComponent
            #expect(try files.attributesOfItem(atPath: pages)[.posixPermissions] as? Int == 0o700)
            #expect(try await session.history().map(\.title) == ["Good morning, 21 November: 8 new items"])
        }
    }

    @Test func asTheProgramOfAUnitItIsWaitedForOutsideOfThatUnit() async throws {
        try folder.write(
            """
            #!/bin/sh
            printf '%s\\n' "$@" > '\(folder.file("unit"))'
            while [ "$1" != -- ]; do shift; done
            shift
            # As systemd reads it: two of them are one.
            for word in "$@"; do shift; set -- "$@" "$(printf '%s' "$word" | sed 's/[$][$]/$/g')"; done
            exec "$@"
            """, to: "bin/systemd-run", isExecutable: true)
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = sink(session, ["SYSTEMD_EXEC_PID": "\(getpid())"])
            var page = try DigestLooksTests.page(.english)
            page.title = "It costs $HOME, ${PATH} or $$"
            guard case .delivered(_?, _) = await sink.deliver(try DigestSinkTests.attempt(of: page)) else {
                return #expect(Bool(false), "not shown")
            }
            #expect(try await opened(afterClickIn: session).hasSuffix(".html"))
            let arguments = try #require(folder.read("unit")).split(separator: "\n")
            #expect(
                arguments.starts(with: ["--user", "--quiet", "--collect", "--pipe", "--property=KillMode=process"]))
            #expect(arguments.contains { $0.hasPrefix("--setenv=DBUS_SESSION_BUS_ADDRESS=unix:") })
            #expect(
                try await session.history().map(\.title) == ["It costs $HOME, ${PATH} or $$, 21 November: 8 new items"])
        }
    }

    @Test func whereNoClickCanBeWaitedForItIsShownWithout() async throws {
        try folder.write(
            "#!/bin/sh\necho 'Failed to connect to bus' >&2\nexit 1\n", to: "bin/systemd-run", isExecutable: true)
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = sink(session, ["SYSTEMD_EXEC_PID": "\(getpid())"])
            guard case .delivered(_?, _) = await sink.deliver(try DigestSinkTests.attempt()) else {
                return #expect(Bool(false), "not shown")
            }
            #expect(try await session.history().count == 1)
        }
    }

    @Test func theNewestPagesAreKept() async throws {
        _ = try await DesktopSession.run(in: folder) { session in
            let sink = sink(session, limit: 2)
            for day in 21...24 { _ = await sink.deliver(try DigestSinkTests.attempt(day: "2026-11-\(day)")) }
            let names = try FileManager.default.contentsOfDirectory(atPath: folder.file("state/pages"))
            #expect(names.count == 2)
            let again = await sink.deliver(try DigestSinkTests.attempt(day: "2026-11-24"))
            guard case .delivered = again else { return #expect(Bool(false), "\(again)") }
            #expect(try Set(FileManager.default.contentsOfDirectory(atPath: folder.file("state/pages"))) == Set(names))
        }
    }

    @Test func whatIsNoDigestHasNoAction() async throws {
        let shown = try await DesktopSession.run(in: folder) { session in
            _ = await sink(session).deliver(
                DeliveryAttempt(
                    request: NotificationRequest(identifier: "a", content: NotificationContent(title: "T")),
                    created: Date(timeIntervalSince1970: 0)))
            _ = try await session.history()
        }
        #expect(shown.count == 1 && !shown[0].contains("Open"))
        #expect(!FileManager.default.fileExists(atPath: folder.file("state")))
    }
}
