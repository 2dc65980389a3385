import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierNotifications
import Foundation

/// Not an asynchronous `main`: that unwinds the first thread once the runtime has taken over, for which much of the program's
/// tables is read, and looks for an executor of the main actor, which nothing here uses.
@main
enum Program {
    static func main() {
        SharedHeap.set()
        // Who started it may have had the system forget how children end, and that is inherited.
        signal(SIGCHLD, SIG_DFL)
        SignalTrap.unblock()
        // A file that may not grow (`ulimit -f`) is an error of the write, which is told.
        signal(SIGXFSZ, SIG_IGN)
        Terminal.openStandardStreams()
        useZone()
        let arguments = CommandLine.arguments.dropFirst()
        do {
            try checkArguments()
            try AddressSpace.check()
            try ThreadRoom.check()
            try OpenFiles.makeRoom()
            try checkEncoding()
            if arguments.first == "fetch", let run = FetchRun(plain: arguments.dropFirst()) {
                begin { try await run.run() }
            } else {
                try CommandNames.check(arguments)
                try start(Crier.parseAsRoot())
            }
        } catch {
            fail(error)
        }
        SignalTrap.wait()
    }

    /// Swift has them from /proc, and without them, not even the program's name, every command would be a success that prints help.
    private static func checkArguments() throws {
        guard CommandLine.arguments.isEmpty else { return }
        throw failure("the arguments cannot be read: /proc has to be mounted", ExitStatus.unavailable)
    }

    /// Swift repairs what is no UTF-8, and a file of another name would be read or written.
    private static func checkEncoding() throws {
        for number in 1..<max(1, Int(CommandLine.argc)) {
            guard let argument = CommandLine.unsafeArgv[number], String(validatingCString: argument) == nil else {
                continue
            }
            throw failure("the argument \"\(String(cString: argument).shown)\" is not UTF-8", ExitStatus.usage)
        }
        for name in placeNames {
            guard let value = getenv(name), String(validatingCString: value) == nil else { continue }
            throw failure("the value of \(name), \"\(String(cString: value).shown)\", is not UTF-8", ExitStatus.usage)
        }
    }

    /// The variables that say where files are.
    private static let placeNames = [
        "CRIER_CONFIG", "CRIER_STATE", "HOME", "XDG_CONFIG_HOME", "XDG_STATE_HOME", "XDG_RUNTIME_DIR",
    ]

    /// POSIX lets the name begin with a colon, and glibc be the path of its file, of which Foundation knows nothing.
    private static func useZone() {
        defer { MachineZone.adopt(isAlone: true) }
        guard let value = getenv("TZ") else { return }
        let zone = String(cString: value)
        var name = zone.hasPrefix(":") ? zone.dropFirst() : zone[...]
        if name.hasPrefix("/usr/share/zoneinfo/") {
            name = name.dropFirst("/usr/share/zoneinfo/".count).drop { $0 == "/" }
        }
        if name.hasPrefix("posix/") { name = name.dropFirst("posix/".count) }
        if ["/etc/localtime", "localtime"].contains(name) {
            // The machine's own.
            unsetenv("TZ")
        } else if name.count < zone.count {
            setenv("TZ", String(name), 1)
        }
    }

    private static func start(_ command: sending any ParsableCommand) throws {
        var command = command
        if var command = command as? any AsyncParsableCommand {
            begin { try await command.run() }
        } else {
            try command.run()
            end()
        }
    }

    /// On the lane, which is one thread: those that all tasks share are as many as there are cores, and to begin them takes a
    /// tenth of a run. An agent that had used them would never be left alone by dispatch (decision "One lane").
    private static func begin(_ work: sending @escaping () async throws -> Void) {
        Task.detached(executorPreference: QuietLane.shared) {
            do {
                try await work()
                end()
            } catch {
                fail(error)
            }
        }
    }

    /// Ends the process with a command's status; nil is that all is done.
    ///
    /// A command that holds much calls it itself: to give back the configuration of a hundred thousand sources and a thousand
    /// visits, piece by piece, takes a twentieth of a run.
    static func end(_ status: ExitCode? = nil) -> Never {
        // Told whatever else there is to say, and the status unless that is of another failure.
        let lost = status == ExitStatus.ioError ? nil : Terminal.lostOutput()
        let isFailure = status.map { $0.rawValue >= ExitStatus.usage.rawValue } ?? false
        leave((isFailure ? status : lost ?? status)?.rawValue ?? EXIT_SUCCESS)
    }

    private static func fail(_ error: any Error) -> Never {
        if let code = error as? ExitCode { end(code) }
        // Help that is broken into lines of less than 27 ends the process, also where nothing but its exit status is asked for.
        if let width = Terminal.width, width < 40 { setenv("COLUMNS", "40", 1) }
        let (message, code) = (Crier.fullMessage(for: error), Crier.exitCode(for: error))
        // It quotes arguments as they came.
        if !message.isEmpty {
            if code.isSuccess { Terminal.line(message) } else { Terminal.note(TerminalText.escapeLines(message)) }
        }
        end(code.isSuccess ? nil : code)
    }

    /// Ends the process at once. Everything that lasts is written by now; `exit(3)` would have the libraries take their memory
    /// down while threads of ours are still at their own end in them.
    private static func leave(_ status: Int32) -> Never {
        fflush(nil)
        _exit(status)
    }
}

struct Crier: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "crier",
        abstract: "Tells you what is new: polls feeds and content APIs politely and raises notifications.",
        discussion: """
            A first notification:
              crier add https://www.swift.org/blog/  follow the feed of a page
              crier authorize                        let crier notify you
              crier fetch                            visit what is due, raise news

            Then let `crier agent` stay and do both, or let cron or a timer run `crier fetch --scheduled --quiet` every ten minutes; each \
            source is visited when it is due.

            Files: $XDG_CONFIG_HOME/crier/crier.yaml (sources and sinks), $XDG_STATE_HOME/crier/crier.sqlite (what was raised).

            Exit status: 0 done, 64 wrong usage, 65 unreadable data, 66 no configuration or input, 69 network or service \
            unavailable, 73 a file is there already, 74 disk error, 75 another run is at work, 77 not authorized, 78 bad configuration, \
            141 nobody reads standard output any more, 129 ended by SIGHUP, 130 or 143 by SIGINT or SIGTERM.
            """,
        version: CrierVersion.number,
        groupedSubcommands: [
            CommandGroup(
                name: "Sources",
                subcommands: [Add.self, Remove.self, List.self, Check.self, Try.self, Import.self, Export.self]),
            CommandGroup(
                name: "Running",
                subcommands: [
                    Fetch.self, DigestCommand.self, AgentCommand.self, Background.self, Authorize.self, Mute.self,
                    Unmute.self, Install.self, Uninstall.self, SimulateCommand.self,
                ]),
            CommandGroup(
                name: "Looking",
                subcommands: [
                    Watch.self, Status.self, Why.self, Log.self, Deliveries.self, SinkCommand.self, DoctorCommand.self,
                ]),
            CommandGroup(
                name: "Other", subcommands: [Backup.self, Vacuum.self, Parse.self, Completion.self, Manual.self]),
        ])
}
