import ArgumentParser
import CrierAgent

extension ManualPage {
    /// `crier(1)`: what there is, and what all commands share.
    static func ofCrier(_ crier: CommandDescription) -> ManualPage {
        var page = ManualPage("crier", section: 1, summary: crier.summary)
        page.heading("SYNOPSIS")
        page.synopsis("crier", [Roff.italic("command"), "[\(Roff.italic("argument"))\\~.\\|.\\|.]"])
        page.heading("DESCRIPTION")
        page.paragraph(crier.abstract)
        page.discussion(crier)
        page.heading("COMMANDS")
        for group in Crier.configuration.groupedSubcommands {
            page.subheading(group.name)
            for command in group.subcommands.map({ $0.configuration }) {
                page.entry(Roff.bold("crier-\(command.commandName ?? "")(1)"), command.abstract)
            }
        }
        page.arguments(crier.shownArguments)
        page.heading("EXIT STATUS")
        for (status, words) in ExitStatus.meanings { page.entry(Roff.bold("\(status)"), words) }
        page.heading("ENVIRONMENT")
        for (names, words) in environment {
            page.entry(names.map { Roff.bold($0) }.joined(separator: ", "), words)
        }
        page.heading("FILES")
        for (path, words) in files { page.entry(Roff.italic(path), words) }
        page.heading("SEE ALSO")
        page.paragraph("`crier.yaml(5)`, `jq(1)`, `crontab(5)`, `systemd.timer(5)`, `systemd.time(7)`")
        return page
    }

    static let environment: [(names: [String], words: String)] = [
        (["CRIER_CONFIG"], "The configuration file, where --config names none."),
        (["CRIER_STATE"], "The state file, where --state names none."),
        (["XDG_CONFIG_HOME"], "Where the folder of the configuration is; `~/.config` where it is not set."),
        (["XDG_STATE_HOME"], "Where the folder of the state is; `~/.local/state` where it is not set."),
        (
            ["XDG_RUNTIME_DIR"],
            """
            Where the agent's socket is. Without it that, and systemd, are in `/run/user/` and your number; where no such folder is \
            yours, an agent cannot be reached.
            """
        ),
        (["XDG_DATA_HOME"], "Where systemd keeps the stamps of timers; `~/.local/share` where it is not set."),
        (
            ["DBUS_SESSION_BUS_ADDRESS"],
            """
            The session bus, for the desktop's notifications; where it is not set, the socket `bus` in `$XDG_RUNTIME_DIR`, or \
            in `/run/user/` and your number.
            """
        ),
        (["TMPDIR"], "Where the input of programs is written on macOS; `/tmp` where it is not set."),
        (["TZ"], "The time zone of this machine, for what names none."),
        (
            ["LANGUAGE", "LC_ALL", "LC_MESSAGES", "LANG"],
            "The language of digests that name none. The first outranks the others, unless these say `C` or nothing."
        ),
        (["COLUMNS"], "The width of tables and digests."),
        (["NO_COLOR"], "Whatever it is, nothing is coloured; empty, it counts as not set."),
        (["TERM"], "Where it is `dumb` or not set, nothing is coloured."),
        (
            ["https_proxy", "http_proxy", "all_proxy", "no_proxy"],
            "The proxies of sources that name none, and the hosts that are reached without one."
        ),
        (
            ["CURL_CA_BUNDLE", "SSL_CERT_FILE", "SSL_CERT_DIR"],
            "The certificate authorities that servers must be vouched for by, instead of the system's."
        ),
        (["CREDENTIALS_DIRECTORY"], "Where secrets of `{credential: NAME}` are; systemd sets it."),
    ]

    static let files: [(path: String, words: String)] = [
        (
            "$XDG_CONFIG_HOME/crier/crier.yaml",
            "The configuration: sources, sinks, digests and rules; see `crier.yaml(5)`."
        ),
        (
            "$XDG_STATE_HOME/crier/crier.sqlite",
            """
            The state: what was seen and raised, and what waits. Only you can read it; `crier-backup(1)` copies it. To go \
            back: end the agent and runs, remove `crier.sqlite`, `crier.sqlite-wal` and `crier.sqlite-shm`, copy the backup \
            to `crier.sqlite`. A later version brings the file up to date by itself, and an earlier one refuses it then.
            """
        ),
        ("$XDG_STATE_HOME/crier/pages", "The pages of digests that a click on the desktop opens."),
        ("$XDG_RUNTIME_DIR/crier/agent.sock", "Where other commands reach the agent."),
        (
            "$XDG_STATE_HOME/crier/crier.sqlite-wal, crier.sqlite-shm",
            "What SQLite keeps beside the state while it is in use, or its user was killed: a part of it."
        ),
        ("$XDG_STATE_HOME/crier/crier.sqlite.lock", "Held by the run or agent at work, with its process number."),
        ("$XDG_STATE_HOME/crier/crier.sqlite.corrupt-DATE", "A damaged state that was set aside."),
        ("$XDG_CONFIG_HOME/systemd/user", "Where `crier-install(1)` writes units."),
    ]
}
