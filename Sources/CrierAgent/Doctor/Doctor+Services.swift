import CrierProcess
import CrierStore
import Foundation

/// What runs Crier by itself.
extension Doctor {
    /// The run or agent at work, as far as its unit does not tell of it.
    ///
    /// - Parameter nothing: Where neither is known.
    private func runningFindings(_ subject: String, _ ways: Set<Installation.Way>, _ nothing: Finding) async
        -> [Finding]
    {
        let holder = RunLock.holder(statePath: statePath)
        if let holder, holder.isStopped { return [Finding(subject, .fail, holder.words, remedy: holder.remedy)] }
        if let (_, agent) = await AgentClient.ofState(statePath, environment: environment) {
            let troubles = agentFindings(agent, ways)
            if !troubles.isEmpty || !ways.isEmpty { return troubles }
            return [Finding(subject, .ok, "an agent runs (process \(agent.process))")]
        }
        let silent = holder.map { Finding(subject, ways.contains(.agent) ? .warn : .ok, $0.words) }
        return [silent, ways.isEmpty ? nothing : nil].compactMap(\.self)
    }

    private func agentFindings(_ agent: AgentDescription, _ ways: Set<Installation.Way>) -> [Finding] {
        var findings: [Finding] = []
        if let words = agent.otherness(from: configPath) {
            let remedy = "give this configuration a --state of its own, or end the agent"
            findings.append(Finding("service", .warn, words, remedy: remedy))
        }
        if let words = agent.outdatedness {
            let (restart, install) = (
                "systemctl --user restart \(Installation.Way.agent.enabledUnit)", "crier install --agent --enable"
            )
            let remedy =
                switch (ways.contains(.agent), agent.isProgramGone) {
                case (true, true): "\(install), then \(restart)"
                case (true, false): restart
                case (false, true): "end it, then \(install)"
                case (false, false): "end it, and start it anew"
                }
            findings.append(Finding("service", .warn, words, remedy: remedy))
        }
        return findings
    }

    func serviceFindings(_ found: InstallationInventory, _ installation: Installation) async -> [Finding] {
        let subject = "service"
        let ways = found.ways
        let lost = found.starts.filter { start in
            start.program.map { ProgramPath.of($0, environment: environment) == nil } ?? false
        }
        var findings = found.troubles.map { Finding(subject, .warn, $0.description) }
        findings += found.masked.map {
            Finding(subject, .warn, "\($0) is masked: it never runs", remedy: Installation.unmaskCommand($0))
        }
        let who = found.troubles.isEmpty ? "nothing" : "nothing else"
        let nothing = Finding(
            subject, .warn, "\(who) that `crier install` knows runs crier by itself",
            remedy: found.foreign[.timer]?.start ?? found.foreign[.agent]?.start ?? installation.recommendation)
        findings += await runningFindings(subject, ways, nothing)
        if ways.contains(.cron), !lost.contains(where: { $0.way == .cron && !$0.isDigest }) {
            findings.append(Finding(subject, .ok, "a line in your crontab"))
        }
        for way in [Installation.Way.agent, .timer] where ways.contains(way) {
            if !found.masked.contains(way.enabledUnit) {
                findings.append(unitFinding(way.enabledUnit, found.standings[way.enabledUnit]))
            }
        }
        findings += lost.map { start in
            let program = start.program ?? ""
            return Finding(
                subject, .fail, "\(start.name) starts \(program), which is not there or cannot be started",
                remedy: start.renewal)
        }
        if !ways.isSubset(of: [.cron]) { findings += await lingeringFinding() }
        if ways.count > 1 { findings.append(excessFinding(found)) }
        return findings
    }

    private func excessFinding(_ found: InstallationInventory) -> Finding {
        let ways = found.ways.sorted { $0.rawValue < $1.rawValue }
        let names = ways.map { "--\($0.rawValue)" }.joined(separator: ", ")
        var remedy = "crier uninstall, with those of them that are not to stay"
        if ways.contains(where: { found.end(of: $0) != nil }) {
            remedy = ways.map { found.end(of: $0) ?? "crier uninstall --\($0.rawValue)" }.joined(separator: ", or ")
        }
        return Finding("service", .warn, "\(names) are installed: one is enough", remedy: remedy)
    }

    private func unitFinding(_ unit: String, _ standing: UserSystemd.Standing?) -> Finding {
        let (isEnabled, activity) = (standing?.isEnabled ?? false, standing?.activity ?? "not known to systemd")
        if isEnabled, activity == "active" { return Finding("service", .ok, "\(unit) is enabled and active") }
        let hasFailed = activity == "failed"
        return Finding(
            "service", hasFailed ? .fail : .warn,
            "\(unit) is \(isEnabled ? "enabled" : "not enabled") and \(activity)",
            remedy: hasFailed ? "journalctl --user -u \(unit)" : "systemctl --user enable --now \(unit)")
    }

    /// Once, whatever runs it.
    func unseenFindings(_ configuration: Configuration?, _ ways: Set<Installation.Way>) -> [Finding] {
        guard let configuration, let unseen = UnseenNews(configuration, by: ways) else { return [] }
        return [Finding("sink", .warn, unseen.words, remedy: unseen.remedy)]
    }

    private func lingeringFinding() async -> [Finding] {
        let user = NSUserName()
        guard ProgramPath.of("loginctl", environment: environment) != nil else { return [] }
        if await output(of: ["loginctl", "show-user", user, "--property=Linger", "--value"]) == "yes" {
            return [Finding("lingering", .ok, "it runs while you are logged out, too")]
        }
        return [
            Finding(
                "lingering", .warn, "it runs while you are logged in only", remedy: "loginctl enable-linger \(user)")
        ]
    }
}
