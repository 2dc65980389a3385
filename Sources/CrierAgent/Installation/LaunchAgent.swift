import Foundation

/// The agent as launchd runs it (launchd.plist(5)): the property list as it stands in `config/launchd`.
struct LaunchAgent: Sendable {
    static let label = "io.github.crier.agent"

    /// `~/Library/LaunchAgents`.
    let folder: String

    var path: String { "\(folder)/\(Self.label).plist" }

    /// What starts it, now and at every login.
    var start: [String] { ["launchctl", "bootstrap", Self.domain, path] }

    var end: [String] { ["launchctl", "bootout", "\(Self.domain)/\(Self.label)"] }

    /// Of whoever is at the screen.
    private static let domain = "gui/\(getuid())"

    static func text(_ command: InstalledCommand) -> String {
        let words = ([command.binary, "agent"] + command.options).map { "\t\t<string>\(escaped($0))</string>\n" }
            .joined()
        return """
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">
            <dict>
            \t<key>Label</key>
            \t<string>\(label)</string>
            \t<key>ProgramArguments</key>
            \t<array>
            \(words)\t</array>
            \t<key>RunAtLoad</key>
            \t<true/>
            \t<key>KeepAlive</key>
            \t<dict>
            \t\t<key>SuccessfulExit</key>
            \t\t<false/>
            \t</dict>
            \t<key>ThrottleInterval</key>
            \t<integer>30</integer>
            \t<key>ProcessType</key>
            \t<string>Background</string>
            \t<key>Umask</key>
            \t<integer>63</integer>
            </dict>
            </plist>

            """
    }

    /// The program of such a property list; nil where it is written otherwise.
    static func program(in text: String) -> String? {
        let start = "<key>ProgramArguments</key>\n\t<array>\n\t\t<string>"
        guard let range = text.firstRange(of: start) else { return nil }
        let word = text[range.upperBound...].prefix { $0 != "<" }
        return String(word).replacing("&lt;", with: "<").replacing("&gt;", with: ">").replacing("&amp;", with: "&")
    }

    private static func escaped(_ text: String) -> String {
        text.replacing("&", with: "&amp;").replacing("<", with: "&lt;").replacing(">", with: "&gt;")
    }
}
