/// One method call over D-Bus, made with the first of `busctl`, `gdbus` and `dbus-send` that is there.
public struct BusCall: Sendable, Hashable {
    /// Of the user's session, or of the machine.
    public enum Bus: String, Sendable, Hashable {
        case session = "user"
        case system
    }

    private let bus: Bus
    private let name: String
    private let path: String
    private let interface: String
    private let method: String
    private let arguments: [String]

    /// - Parameters:
    ///   - name: Who is asked; its path is made from it where none is given.
    ///   - interface: Nil is called like the name.
    ///   - arguments: Strings.
    public init(
        _ bus: Bus, _ name: String, path: String? = nil, interface: String? = nil, method: String,
        arguments: [String] = []
    ) {
        self.bus = bus
        self.name = name
        self.path = path ?? "/" + name.replacing(".", with: "/")
        self.interface = interface ?? name
        self.method = method
        self.arguments = arguments
    }

    /// What became of a call.
    public enum Reply: Sendable, Hashable {
        /// What the tool prints.
        case answer(String)
        /// Nobody answers in time.
        case silence
        /// There is no tool, no bus, nobody of that name, or an error is the answer.
        case refusal
    }

    /// Whether one of the tools is there.
    public func isPossible(variables: [String: String]) -> Bool {
        commands.contains { ProgramPath.of($0[0], environment: variables) != nil }
    }

    /// - Parameter variables: The environment, in which the bus and the tools are found.
    public func reply(variables: [String: String], limit: Duration) async -> Reply {
        for command in commands {
            guard let tool = ProgramPath.of(command[0], environment: variables) else { continue }
            let run = BoundedProgram([tool] + command.dropFirst(), variables: variables)
            guard let ending = try? await run.run(limit: limit) else { return .refusal }
            if ending.exitCode == 0 { return .answer(ending.outputText) }
            return ending.isOverdue ? .silence : .refusal
        }
        return .refusal
    }

    /// What the tool prints; nil where there is no tool, it fails, or nobody answers in time.
    ///
    /// - Parameter variables: As in ``reply(variables:limit:)``.
    public func answer(variables: [String: String], limit: Duration) async -> String? {
        guard case .answer(let text) = await reply(variables: variables, limit: limit) else { return nil }
        return text
    }

    private var commands: [[String]] {
        let signature = arguments.isEmpty ? [] : [String(repeating: "s", count: arguments.count)]
        let glibBus = bus == .session ? "--session" : "--system"
        return [
            ["busctl", "--\(bus.rawValue)", "call", name, path, interface, method] + signature + arguments,
            ["gdbus", "call", glibBus, "--dest", name, "--object-path", path, "--method", "\(interface).\(method)"]
                + arguments,
            ["dbus-send", glibBus, "--print-reply", "--dest=\(name)", path, "\(interface).\(method)"]
                + arguments.map { "string:\($0)" },
        ]
    }
}
