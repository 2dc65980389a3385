import CrierTesting
import Foundation
import Testing

/// The unit as it is installed, under a service manager of its own: a real `systemd --user`, in namespaces and control groups
/// that end with the test.
@Suite(.timeLimit(.minutes(4))) struct SystemdUserTests {
    /// What the manager cannot have here is told by exit status 77.
    private static let script = """
        set -u
        group=$1 crier=$3/bin/crier manager=
        export HOME=$3 XDG_RUNTIME_DIR=/run/user/0
        mkdir "$3/bin" && ln -s "$2" "$crier" || exit 70
        mount -t tmpfs none /run || exit 77
        mkdir -p /run/systemd/system /run/user/0 /run/systemd/inaccessible/dir
        chmod 700 /run/user/0
        # What the system's own manager has ready for the sandboxes of services.
        cd /run/systemd/inaccessible && touch reg sock && mkfifo fifo && mknod chr c 0 0 && mknod blk b 0 0 || exit 77
        trees=
        for tree in /sys/fs/cgroup /sys/fs/cgroup/systemd /sys/fs/cgroup/unified; do
            [ -w $tree/cgroup.procs ] && mkdir $tree/$group && echo 0 > $tree/$group/cgroup.procs && trees="$trees $tree"
        done
        end() {
            [ -z "$manager" ] || { kill $manager; wait $manager; }
            for tree in $trees; do
                echo 0 > $tree/cgroup.procs
                find $tree/$group -depth -type d -exec rmdir {} +
            done
        }
        trap end EXIT
        [ -n "$trees" ] || exit 77
        /lib/systemd/systemd --user & manager=$!
        until systemctl --user is-system-running --wait > /dev/null 2>&1; do kill -0 $manager || exit 77; done
        property() { systemctl --user show crier-agent.service -P "$1"; }

        "$crier" authorize --allow > /dev/null
        "$crier" install --agent --enable > /dev/null
        echo "installed $? $(systemctl --user is-enabled crier-agent.service)"
        echo "started $(property Type) $(property ActiveState) $(property SubState) $(property WatchdogUSec)"
        echo "status $(property StatusText)"
        systemctl --user reload crier-agent.service
        reloaded=$?
        while [ "$(property ActiveState)" = reloading ]; do :; done
        echo "reloaded $reloaded $(property ActiveState)"
        process=$(property MainPID)
        [ "$process" -gt 1 ] || exit 70
        kill -9 $process
        until [ "$(property NRestarts)" = 1 ] && [ "$(property ActiveState)" = active ]; do :; done
        [ "$(property MainPID)" != $process ] && echo "started again after it was killed"
        # As while it is replaced.
        mv "$crier" "$crier.new"
        kill -9 $(property MainPID)
        until [ "$(property ExecMainStatus)" = 203 ]; do :; done
        mv "$crier.new" "$crier"
        until [ "$(property ActiveState)" = active ]; do :; done
        echo "started again once its program was back"
        systemctl --user stop crier-agent.service
        echo "stopped $(property ActiveState) $(property Result) $(property ExecMainStatus)"
        systemctl --user start crier-agent.service
        "$crier" doctor
        env -u XDG_RUNTIME_DIR "$crier" doctor > $HOME/found
        echo "found $(grep -c 'service: crier-agent.service is enabled and active' $HOME/found)"
        mkdir -p /run/systemd/user
        sed 1d $HOME/.config/systemd/user/crier-agent.service > /run/systemd/user/crier-agent.service
        "$crier" uninstall > /dev/null
        echo "uninstalled $? $(systemctl --user is-active crier-agent.service) $(find $HOME/.config/systemd -type f)"
        systemctl --user start crier-agent.service
        "$crier" install --agent > /dev/null 2>&1
        echo "foreign $? $("$crier" doctor | grep -c 'service: crier-agent.service is not enabled and active')"
        systemctl --user stop crier-agent.service
        """

    private static let isPossible =
        geteuid() == 0
        && ["/lib/systemd/systemd", "/usr/bin/unshare"].allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    @Test(.enabled(if: isPossible, "systemd is not installed, or this is not root: the unit does not run"))
    func theUnitRunsUnderARealManager() async throws {
        let crier = try BuiltCrier()
        try crier.folder.write("sources:\n  a: {url: 'http://127.0.0.1:1/'}\n", to: ".config/crier/crier.yaml")
        let script = try crier.folder.write(Self.script, to: "manager.sh")
        let group = "crier-\(UUID().uuidString)"
        let run = try await crier.run([]) { process in
            process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
            process.arguments =
                ["-mp", "--fork", "--mount-proc", "--kill-child", "bash", script, group, BuiltCrier.binary]
                + [crier.folder.path]
            for name in ["CRIER_CONFIG", "CRIER_STATE", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "NOTIFY_SOCKET"] {
                process.environment?[name] = nil
            }
        }
        // 1 is unshare's own: no namespaces here.
        guard ![1, 77].contains(run.status) else {
            print("skipped: no service manager can be started here: \(run.errors.suffix(300))")
            return
        }
        var lines = run.lines
        #expect(lines.count > 8, "\(run.output) \(run.errors)")
        let told = /(installed|started|status|reloaded|stopped|found|uninstalled|foreign) .*/
        lines.removeAll { $0.wholeMatch(of: told) == nil }
        #expect(
            lines.filter { !$0.hasPrefix("status") } == [
                "installed 0 enabled", "started notify active running 1min 30s", "reloaded 0 active",
                "started again after it was killed", "started again once its program was back",
                "stopped inactive success 0", "found 1", "uninstalled 0 inactive ", "foreign 73 1",
            ], "\(run.errors.suffix(500))")
        #expect(lines.contains { $0.hasPrefix("status 1 source") })
        #expect(run.lines.contains { $0.hasPrefix("ok   service: ") }, "the doctor sees it")
    }
}
