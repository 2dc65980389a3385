import CrierProcess
import Foundation

/// The variables of what starts Crier by itself: they are not this shell's.
struct ServiceVariables: Sendable {
    let name: String
    /// What sets them: the crontab, or units with what lies beside them and the manager's own.
    let text: String
    /// Nil where it is not known.
    var path: String?

    /// Whether a variable is set, as far as that can be seen.
    func have(_ variable: String) -> Bool {
        Self.lines(of: text).contains { line in
            if line.hasPrefix("EnvironmentFile=") { return true }
            return line.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.contains(variable[...])
        }
    }

    /// That of the last line that sets it, else cron's own (crontab(5)).
    static func path(inCrontab text: String) -> String {
        let values = lines(of: text).compactMap { line -> String? in
            let parts = line.split(separator: "=", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            return parts.count == 2 && parts[0] == "PATH" ? parts[1] : nil
        }
        return values.last?.trimmingCharacters(in: CharacterSet(charactersIn: "\"'")) ?? "/usr/bin:/bin"
    }

    /// Without comments.
    private static func lines(of text: String) -> [String] {
        text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
            !$0.hasPrefix("#") && !$0.hasPrefix(";")
        }
    }
}

extension Doctor {
    func serviceVariables(_ found: InstallationInventory) async -> [ServiceVariables] {
        var services: [ServiceVariables] = []
        if let text = found.texts[.cron] {
            services.append(
                ServiceVariables(name: "cron", text: text, path: ServiceVariables.path(inCrontab: text)))
        }
        let units = [Installation.Way.agent, .timer].compactMap { found.texts[$0] }
        // Where it does not say, nothing is known of it.
        if !units.isEmpty, let own = await managerVariables, !own.isEmpty {
            services.append(ServiceVariables(name: "systemd", text: (units + [own]).joined(separator: "\n")))
        }
        return services
    }

    private var managerVariables: String? {
        get async {
            let variables = UserSystemd.variables(environment)
            return await output(of: ["systemctl", "--user", "show-environment"], variables: variables)
        }
    }
}

extension [ServiceVariables] {
    /// Those that lack a variable, in words; nil where none does.
    func lacking(_ variable: String) -> String? {
        let names = filter { !$0.have(variable) }.map(\.name)
        if names.isEmpty { return nil }
        return names.joined(separator: " and ") + (names.count == 1 ? " does not have it" : " do not have it")
    }

    /// Whether a program that is found by its name here is not in one of them.
    func lack(program: String) -> Bool {
        guard !program.contains("/") else { return false }
        return contains { $0.path.map { ProgramPath.of(program, environment: ["PATH": $0]) == nil } ?? false }
    }
}
