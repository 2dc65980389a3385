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
    /// `systemd-run`, where this process is the main one of a unit: what it leaves behind would be ended with it, and a
    /// browser could not live under the rules of that unit.
    let unitRunner: String?
    /// What the click does, for those servers that say so.
    let label: String

    /// The word of the specification for a click on the notification itself.
    static let action = "default"

    /// Ends as soon as the server has answered, and tells what the program has told up to there. Without braces around
    /// names, which `systemd-run` would fill in.
    private static let script = """
        opener=$1; page=$2; shift 2
        { "$@" 2>&1 & } | {
            while IFS= read -r line; do
                case $line in
                ''|0|*[!0-9]*) printf '%s\\n' "$line" >&2 ;;
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
    ///   - variables: Its environment, of which a unit of its own gets what leads to the session.
    func command(around command: [String], variables: [String: String]) -> [String] {
        let words = ["/bin/sh", "-c", Self.script, "crier", opener, path, unbuffer, "-oL"] + command
        guard let unitRunner else { return words }
        let names = ["DBUS_SESSION_BUS_ADDRESS", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "LC_ALL", "PATH"]
        let settings = names.compactMap { name in variables[name].map { "--setenv=\(name)=\($0)" } }
        let runner = [unitRunner, "--user", "--quiet", "--collect", "--pipe", "--property=KillMode=process"]
        // What `$` begins would be filled in (systemd.service(5), "Command lines").
        return runner + settings + ["--"] + words.map { $0.replacing("$", with: "$$") }
    }
}
