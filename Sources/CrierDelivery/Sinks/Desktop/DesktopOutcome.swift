import CrierHTTP
import CrierNotifications
import CrierProcess

/// Reads how a run of `notify-send` ended.
enum DesktopOutcome {
    /// - Parameters:
    ///   - replaced: The number that it was given.
    ///   - place: Where numbers are known.
    static func outcome(
        of ending: BoundedProgram.Ending, replacing replaced: UInt32?, at place: PlacedReceipt, limit: Duration
    ) -> DeliveryOutcome {
        func receipt(of number: UInt32) -> String { place.receipt(of: String(number)) }
        let hasWorked = ending.exitCode == 0 && !ending.isOverdue
        // A new number is the server's, and counts whatever the exit status is: version 0.8 can end with 1 after showing, where
        // the server knows no actions. The one that it was given is printed also where nothing was shown.
        if let number = number(in: ending.outputText), hasWorked || number != replaced {
            return .delivered(receipt: receipt(of: number))
        }
        if hasWorked { return .delivered() }
        // Plasma refuses what it has shown within the last second.
        if contains(ending.errorText, ["ExcessNotificationGeneration"]) {
            return .delivered(receipt: replaced.map(receipt))
        }
        if ending.isOverdue { return .failed(reason: silence(for: limit)) }
        if contains(ending.errorText, absent) {
            return .deferred(reason: "no notification server is on the session bus")
        }
        if contains(ending.errorText, disconnected) { return .deferred(reason: "the session bus cannot be reached") }
        let message = HarmlessText.cut(HarmlessText.line(ending.errorText), to: 200)
        if ending.isUnknown, message.isEmpty { return .delivered(remark: ProgramOutcome.unknown("notify-send")) }
        return .failed(reason: message.isEmpty ? "notify-send ended without an answer" : "notify-send: \(message)")
    }

    /// Another kind of sink, which this one may become, knows other things by such numbers, and so does another session.
    static func place(of session: String?) -> PlacedReceipt {
        PlacedReceipt(place: ["desktop", session].compactMap { $0 }.joined(separator: " "))
    }

    static func silence(for limit: Duration) -> String {
        "the notification server did not answer within \(limit.inWords)"
    }

    /// Whether the server has the notification and did not answer, or left the bus with it: it may have been shown all the
    /// same, and it may be what keeps or ended the server.
    static func isUnanswered(_ ending: BoundedProgram.Ending) -> Bool {
        ending.isOverdue || contains(ending.errorText, ["DBus.Error.NoReply", "Timeout was reached"])
    }

    /// Names of D-Bus errors: nobody has the name, and nobody could be started for it.
    private static let absent = ["ServiceUnknown", "NameHasNoOwner", "StartServiceByName", "DBus.Error.Spawn."]
    private static let disconnected = [
        "Could not connect", "Connection refused", "connection is closed", "DBus.Error.Disconnected", "NoServer",
    ]

    private static func contains(_ text: String, _ words: [String]) -> Bool { words.contains { text.contains($0) } }

    private static func number(in output: String) -> UInt32? {
        output.split(whereSeparator: \.isNewline).lazy.compactMap { UInt32($0) }.first { $0 > 0 }
    }
}
