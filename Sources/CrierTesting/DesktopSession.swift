import CrierProcess
import Foundation

/// A desktop of its own for a test: a session bus, an X server nobody sees, and dunst showing notifications on it.
public struct DesktopSession: Sendable {
    /// The environment of a program of that session.
    public let variables: [String: String]

    /// What dunst has shown, as its history says.
    public struct Shown: Sendable {
        public let title: String
        /// The title and body as they are drawn, in markup.
        public let text: String
        public let applicationName: String
        public let category: String
        public let number: Int
    }

    /// Whether everything it takes is installed.
    public static let isPossible = ["dunst", "dunstctl", "Xvfb", "dbus-run-session", "notify-send", "gdbus"]
        .allSatisfy { program in
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return path.split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }

    /// Closes what is shown and gives the history, oldest first.
    public func history() async throws -> [Shown] {
        _ = try await output(of: "dunstctl", ["close-all"])
        let json = try await output(of: "dunstctl", ["history"])
        let entries = try JSONDecoder().decode(History.self, from: Data(json.utf8)).data.joined()
        return entries.reversed().map { entry in
            func text(_ key: String) -> String { entry[key]?.data.text ?? "" }
            return Shown(
                title: text("summary"), text: text("message"), applicationName: text("appname"),
                category: text("category"), number: Int(text("id")) ?? 0)
        }
    }

    /// Clicks on the notification that is shown.
    public func click() async throws {
        _ = try await output(of: "dunstctl", ["action", "0"])
    }

    /// Runs `body` in a session that ends with it.
    ///
    /// - Returns: all dunst knows of each notification it was sent, one after the other, in its own words.
    public static func run(
        markup: Bool = true, in folder: TemporaryFolder, _ body: (DesktopSession) async throws -> Void
    ) async throws -> [String] {
        var print: [String] = []
        try await runWithoutServer { session in
            print = try await session.withServer(markup: markup, in: folder) { try await body(session) }
        }
        return print
    }

    /// Runs `body` in a session in which nothing shows notifications yet.
    public static func runWithoutServer(_ body: (DesktopSession) async throws -> Void) async throws {
        try await withProgram("dbus-run-session", ["--", "sh", "-c", "echo $DBUS_SESSION_BUS_ADDRESS; exec cat"]) {
            bus in
            var variables = ["DBUS_SESSION_BUS_ADDRESS": try await bus.firstLine()]
            variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let screen = ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
            try await withProgram("Xvfb", screen) { screen in
                variables["DISPLAY"] = ":" + (try await screen.firstLine())
                try await body(DesktopSession(variables: variables))
            }
        }
    }

    /// Has dunst show notifications while `body` runs.
    ///
    /// - Returns: as ``run(markup:in:_:)``.
    @discardableResult
    public func withServer(
        markup: Bool = true, in folder: TemporaryFolder, _ body: () async throws -> Void
    ) async throws -> [String] {
        let configuration = try folder.write("[global]\nmarkup = \(markup ? "full" : "no")\n", to: "dunstrc")
        var print: [String] = []
        try await withProgram("dunst", ["-conf", configuration, "-print"], variables) { dunst in
            let name = "org.freedesktop.Notifications"
            try await output(of: "gdbus", ["wait", "--session", "--timeout", "20", name])
            try await body()
            print = try await dunst.linesToEnd()
        }
        return print.joined(separator: "\n").components(separatedBy: "\n}\n")
    }

    @discardableResult
    private func output(of program: String, _ arguments: [String]) async throws -> String {
        let program = BoundedProgram([program] + arguments, variables: variables)
        return String(decoding: try await program.output(limit: .seconds(60), outputLimit: 1 << 20), as: UTF8.self)
    }

    private struct History: Decodable {
        let data: [[[String: Value]]]

        struct Value: Decodable {
            let data: Scalar
        }

        struct Scalar: Decodable {
            public let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                text = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
            }
        }
    }
}
