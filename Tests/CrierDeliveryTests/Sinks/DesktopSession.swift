import CrierDelivery
import Foundation
import Subprocess
import Testing

/// A desktop of its own for a test: a session bus, an X server nobody sees, and dunst showing notifications on it.
struct DesktopSession: Sendable {
    /// The environment of a program of that session.
    let environment: DesktopEnvironment

    /// What dunst has shown, as its history says.
    struct Shown: Sendable {
        let title: String
        /// The title and body as they are drawn, in markup.
        let text: String
        let applicationName: String
        let category: String
        let number: Int
    }

    static let isPossible = ["dunst", "dunstctl", "Xvfb", "dbus-run-session", "notify-send", "gdbus"]
        .allSatisfy { program in
            let path = ProcessInfo.processInfo.environment["PATH"] ?? ""
            return path.split(separator: ":").contains {
                FileManager.default.isExecutableFile(atPath: "\($0)/\(program)")
            }
        }

    /// Closes what is shown and gives the history, oldest first.
    func history() async throws -> [Shown] {
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

    /// Runs `body` in a session that ends with it.
    ///
    /// - Returns: all dunst knows of each notification it was sent, one after the other, in its own words.
    static func run(
        markup: Bool = true, in folder: TemporaryFolder, _ body: (DesktopSession) async throws -> Void
    ) async throws -> [String] {
        let configuration = try folder.write("dunstrc", "[global]\nmarkup = \(markup ? "full" : "no")\n")
        var print: [String] = []
        try await withProgram("dbus-run-session", ["--", "sh", "-c", "echo $DBUS_SESSION_BUS_ADDRESS; exec cat"]) {
            bus in
            var variables = ["DBUS_SESSION_BUS_ADDRESS": try await bus.firstLine()]
            variables["PATH"] = ProcessInfo.processInfo.environment["PATH"]
            let screen = ["-displayfd", "1", "-screen", "0", "640x480x24", "-nolisten", "tcp"]
            try await withProgram("Xvfb", screen) { screen in
                variables["DISPLAY"] = ":" + (try await screen.firstLine())
                let session = DesktopSession(environment: DesktopEnvironment(variables: variables, userID: 0))
                try await withProgram("dunst", ["-conf", configuration, "-print"], variables) { dunst in
                    let name = "org.freedesktop.Notifications"
                    try await session.output(of: "gdbus", ["wait", "--session", "--timeout", "20", name])
                    try await body(session)
                    print = try await dunst.linesToEnd()
                }
            }
        }
        return print.joined(separator: "\n").components(separatedBy: "\n}\n")
    }

    @discardableResult
    private func output(of program: String, _ arguments: [String]) async throws -> String {
        let result = try await Subprocess.run(
            .name(program), arguments: Arguments(arguments), environment: environment.variables.environment,
            output: .string(limit: 1 << 20))
        #expect(result.terminationStatus.isSuccess, "\(program) \(arguments)")
        return result.standardOutput
    }

    private struct History: Decodable {
        let data: [[[String: Value]]]

        struct Value: Decodable {
            let data: Scalar
        }

        struct Scalar: Decodable {
            let text: String

            init(from decoder: any Decoder) throws {
                let container = try decoder.singleValueContainer()
                text = try (try? container.decode(String.self)) ?? String(container.decode(Int.self))
            }
        }
    }
}
