import CrierTesting
import Foundation
import Testing

/// What a real kernel tells the agent, in namespaces that end with the test: their network is down, and their `/etc` is a copy.
@Suite(.timeLimit(.minutes(5))) struct AgentKernelTests {
    /// Where namespaces cannot be had, the exit status is 1 or 77.
    private static let script = """
        set -u
        crier=$1 folder=$2
        mkdir $folder/etc && cp -a /etc/localtime /etc/passwd $folder/etc 2> /dev/null
        mount --bind $folder/etc /etc || exit 77
        "$crier" agent 2> $folder/said & agent=$!
        trap 'kill $agent; wait $agent' EXIT
        until grep -q ' ready' $folder/said; do kill -0 $agent || exit 70; done
        told() {
            until "$crier" log --format json | grep "\\"reason\\":\\"$1\\"" > /dev/null; do kill -0 $agent || exit 70; done
            echo "$1"
        }
        ip link set lo up || exit 77
        told network
        ln -s /usr/share/zoneinfo/Asia/Tokyo /etc/localtime.new && mv -T /etc/localtime.new /etc/localtime
        told timeZone
        """

    private static let isPossible = ["/usr/bin/unshare", "/usr/sbin/ip"]
        .allSatisfy { FileManager.default.isExecutableFile(atPath: $0) }

    /// Runs a script in namespaces of its own, with the binary and the folder; nil where none can be had.
    private func run(_ script: String, of crier: BuiltCrier) async throws -> BuiltCrier.Outcome? {
        let path = try crier.folder.write(script, to: "script.sh")
        let run = try await crier.run([]) { process in
            process.executableURL = URL(fileURLWithPath: "/usr/bin/unshare")
            process.arguments = ["-rnm", "bash", path, BuiltCrier.binary, crier.folder.path]
        }
        if ![1, 77].contains(run.status) { return run }
        print("skipped: no namespaces can be had here: \(run.errors.suffix(300))")
        return nil
    }

    @Test(.enabled(if: isPossible, "unshare or ip is not installed"))
    func aNetworkThatComesAndAnotherTimeZoneWakeTheAgent() async throws {
        var crier = try BuiltCrier("sources: {}\n")
        crier.environment["XDG_RUNTIME_DIR"] = crier.folder.file("run")
        guard let run = try await run(Self.script, of: crier) else { return }
        #expect(run.lines == ["network", "timeZone"], "\(run.errors.suffix(500))")
    }

    private static let session = """
        mount -t tmpfs none /run && mkdir -p /run/user/0 && chmod 700 /run/user/0 || exit 77
        "$1" agent 2> $2/said & agent=$!
        trap 'kill $agent; wait $agent' EXIT
        until grep -q 'ready socket=/run/user/0/crier/agent.sock' $2/said; do kill -0 $agent || exit 70; done
        "$1" doctor | grep -o 'an agent runs'
        """

    /// As it is started by `su -` or a crontab.
    @Test(.enabled(if: isPossible, "unshare or ip is not installed"))
    func withoutAVariableTheAgentIsFoundInTheFolderOfTheSession() async throws {
        var crier = try BuiltCrier("sources: {}\n")
        crier.environment["HOME"] = crier.folder.path
        guard let run = try await run(Self.session, of: crier) else { return }
        #expect(run.lines == ["an agent runs"], "\(run.errors.suffix(500)) \(crier.folder.read("said") ?? "")")
    }

    private static let refusal = """
        echo 127.0.0.1 one.example two.example nas.lan > $2/hosts && mount --bind $2/hosts /etc/hosts || exit 77
        ip link set lo up && ip route add default dev lo || exit 77
        "$1" fetch
        """

    /// As many a network does before whoever has not logged in; a refusal at home is of the host itself.
    @Test(
        .enabled(if: isPossible, "unshare or ip is not installed"),
        arguments: [("one two", true), ("one nas", false)])
    func whatAllHostsRefuseIsTheNetwork(_ names: String, _ isDown: Bool) async throws {
        let urls = ["one": "http://one.example:9/", "two": "http://two.example:9/", "nas": "http://nas.lan:9/"]
        let crier = try BuiltCrier(
            "sources:\n" + names.split(separator: " ").map { "  \($0): {url: '\(urls[String($0)] ?? "")'}\n" }.joined())
        guard let run = try await run(Self.refusal, of: crier) else { return }
        #expect(run.status == 69 && run.errors.contains("connection refused by"), "\(run)")
        #expect(run.errors.contains("the network is down") == isDown, "\(run.errors)")
    }

    /// As where other programs of the user have taken them all.
    @Test(.enabled(if: MountSpace.isPossible, "may not mount a tmpfs (unshare -rm)"))
    func whereNoFileCanBeWatchedTheConfigurationIsLookedAt() async throws {
        let bench = try await AgentBench()
        let limit = "echo 0 > /proc/sys/user/max_inotify_watches"
        let agent = try RunningCommand(
            bench.crier, "agent", behind: "set -- unshare -r bash -c '\(limit); exec \"$@\"' bash \"$@\"")
        try await agent.says("no changes of \(bench.crier.folder.file("crier.yaml")) are told")
        #expect(await agent.end() == 0)
        await bench.origin.stop()
    }
}
