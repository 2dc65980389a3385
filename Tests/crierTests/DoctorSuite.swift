import Foundation

/// A suite of what the doctor finds.
protocol DoctorSuite {}

extension DoctorSuite {
    static var desktopConfig: String {
        "sinks: {desktop: {}}\nsources:\n  news: {url: 'https://news.example/feed'}\n"
    }

    /// A machine whose programs say what the test wants; there are no others.
    func machine(_ config: String?, _ programs: [String: String] = [:]) throws -> BuiltCrier {
        var crier = try BuiltCrier(config)
        crier.environment["HOME"] = crier.folder.path
        for name in ["XDG_CONFIG_HOME", "XDG_DATA_HOME"] { crier.environment[name] = nil }
        crier.environment["PATH"] = crier.folder.file("bin")
        for (name, script) in programs {
            try crier.folder.write("#!/bin/sh\n\(script)\n", to: "bin/\(name)", isExecutable: true)
        }
        return crier
    }

    /// A program that knows a unit of the user's own.
    func systemctl(_ unit: String, _ enablement: String, _ activity: String) -> String {
        let text = UnitStanding.text(unit, at: "$HOME/.config/systemd/user/\(unit)", enablement, activity)
        return "case $2 in show) echo \"\(text)\";; esac"
    }

    func findings(_ run: BuiltCrier.Outcome, _ subject: String) -> [[String: Any]] {
        run.objects.filter { $0["subject"] as? String == subject }
    }

    func verdicts(_ crier: BuiltCrier, _ subject: String) async throws -> [String] {
        findings(try await crier.run("doctor", "--format", "json"), subject).compactMap { $0["verdict"] as? String }
    }
}
