import CrierProcess

/// Whether the connection costs by what goes through it, as NetworkManager says. systemd-networkd does not know.
struct MeteredConnection: Sendable {
    /// Where the system bus is and its tools are.
    let environment: [String: String]

    private static let limit = Duration.seconds(3)

    /// False also where nothing is known.
    var isMetered: Bool {
        get async {
            // Without a bus no tool is started in vain.
            guard BusAddress.ofSystem(environment: environment).isUsable else { return false }
            let name = "org.freedesktop.NetworkManager"
            let call = BusCall(
                .system, name, interface: "org.freedesktop.DBus.Properties", method: "Get",
                arguments: [name, "Metered"])
            guard let answer = await call.answer(variables: environment, limit: Self.limit) else { return false }
            return Self.isMetered(answer: answer)
        }
    }

    /// Reads NMMetered (NetworkManager D-Bus Reference, "Types"): 1 yes, 2 no, 3 probably, 4 probably not. All tools print
    /// the number last.
    static func isMetered(answer: String) -> Bool {
        let digits = answer.reversed().drop { !$0.isASCII || !$0.isNumber }.prefix { $0.isASCII && $0.isNumber }
        return ["1", "3"].contains(String(digits.reversed()))
    }
}
