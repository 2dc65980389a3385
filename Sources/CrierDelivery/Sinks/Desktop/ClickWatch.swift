/// What opens a file when a notification is clicked.
///
/// A click is told to whoever has raised the notification and is still there: so `notify-send` stays until the notification
/// is closed, in the background and after Crier's own end, with a few lines of shell that wait for what it says.
struct ClickWatch: Sendable, Hashable {
    /// The file.
    let path: String
    /// What opens it, such as `xdg-open`.
    let opener: String
    /// `stdbuf`: `notify-send` keeps what it says to a pipe until its end.
    let unbuffer: String
    /// `timeout`: of a server that has died, `notify-send` hears nothing more and would stay for ever.
    let timer: String
    /// `systemd-run`, where this process is the main one of a unit: what it leaves behind would be ended with it, and a
    /// browser could not live under the rules of that unit.
    let unitRunner: String?
    /// What the click does, for those servers that say so.
    let label: String

    /// The word of the specification for a click on the notification itself.
    static let action = "default"

    /// Ends as soon as the server has answered, and tells what the program has told up to there. Where nothing was shown, the
    /// program prints 0, or the number that it was given, behind what is wrong, and waits all the same: it is ended. Without
    /// braces around names, which `systemd-run` would fill in.
    private static let script = """
        opener=$1; page=$2; given=$3; shift 3
        { /bin/sh -c 'echo $$; exec "$@"' crier "$@" 2>&1 & } | {
            IFS= read -r process; wrong=
            while IFS= read -r line; do
                case $wrong$line in
                0|!0|"!$given") kill "$process" 2>/dev/null; exit 1 ;;
                esac
                case $line in
                ''|'('*|'Actions are not'*) printf '%s\\n' "$line" >&2 ;;
                *[!0-9]*) wrong=!; printf '%s\\n' "$line" >&2 ;;
                *)
                    printf '%s\\n' "$line"
                    exec 5<&0 >/dev/null 2>&1
                    { IFS= read -r action <&5; [ "$action" = \(action) ] && exec "$opener" "$page" 5<&-; } &
                    exit 0 ;;
                esac
            done
            exit 1
        }
        """

    /// - Parameters:
    ///   - command: `notify-send` with `--print-id` and the action.
    ///   - replaced: The number that it is given.
    ///   - variables: Its environment, of which a unit of its own gets what leads to the session.
    func command(
        around command: [String], replacing replaced: UInt32?, variables: [String: String]
    ) -> [String] {
        let given = replaced.map { String($0) } ?? ""
        let words =
            ["/bin/sh", "-c", Self.script, "crier", opener, path, given, unbuffer, "-oL"]
            + [timer, "--foreground", "1d"] + command
        guard let unitRunner else { return words }
        let names = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "LC_ALL", "PATH"]
        let settings = names.compactMap { name in variables[name].map { "--setenv=\(name)=\($0)" } }
        let runner = [unitRunner, "--user", "--quiet", "--collect", "--pipe", "--property=KillMode=process"]
        // What `$` begins would be filled in (systemd.service(5), "Command lines").
        return runner + settings + ["--"] + words.map { $0.replacing("$", with: "$$") }
    }
}
