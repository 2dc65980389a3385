import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore
import Foundation

/// The exit statuses (sysexits.h), by name.
enum ExitStatus {
    static let usage = ExitCode(64)
    static let unreadableData = ExitCode(65)
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let cannotCreate = ExitCode(73)
    static let ioError = ExitCode(74)
    static let temporaryFailure = ExitCode(75)
    static let notAuthorized = ExitCode(77)
    static let badConfiguration = ExitCode(78)
    /// As of a process that SIGPIPE ends.
    static let readerHasGone = ExitCode(141)

    /// What each says, in Markdown, as README and the manual have it.
    static let meanings: [(status: Int, words: String)] = [
        (0, "done, also when nothing is new"),
        (64, "wrong usage"),
        (
            65,
            """
            data that cannot be read: a corrupt state file, or in its usual place one that is no database (a run sets it aside, \
            nothing deletes it); elsewhere one that is no database, one of another program or of a later version (it is left \
            alone); a file that is no feed
            """
        ),
        (66, "no configuration, no such file, or no home folder to find it in, or it cannot be read"),
        (
            69,
            """
            the network is down, every visit failed, a sink did not accept a test, there is no agent to watch, systemd or \
            cron cannot be reached, /proc is not mounted, a library is missing that `check` needs, or `doctor` found what cannot \
            work
            """
        ),
        (
            73,
            """
            a file that would be written is there already, or `install` would overwrite what you have changed, or cannot write \
            down the path of the program
            """
        ),
        (
            74,
            """
            the disk is full or read-only, a file cannot be written, fewer than 32 may be open, too little memory may be mapped, too few threads begun, the state file was taken away from the agent, cannot be \
            locked or could not be read for a moment (it stays as it is), or standard output cannot be written
            """
        ),
        (
            75,
            """
            another run or agent is at work (its process number is told, but not by `fetch --scheduled --quiet` or \
            `digest NAME --quiet` without `--now`), or the agent ended in the midst of what it was asked
            """
        ),
        (
            77,
            """
            new notifications wait for your permission; or a scheduled run fetches nothing because you have not allowed them, or \
            a simulated wake because that is switched off; a digest waits for it; `authorize` was answered with no, or not at all
            """
        ),
        (
            78,
            """
            the configuration is wrong, or, but for a scheduled run, has no source to fetch; where only sources have mistakes, \
            the others were still fetched, listed, planned or exported, and a command for one source, sink or digest, and \
            `fetch` with the names of sources, tells how that went. What jq and XPath expressions say is looked at by `check`, \
            `add`, `import`, `doctor` and an agent that reads its configuration again, else when it is used: then a source \
            fails, and a digest that cannot be issued for it gives 78
            """
        ),
        (129, "ended by SIGHUP, as when its terminal is closed; what a fetch had found by then is written down"),
        (130, "ended by Ctrl-C (SIGINT); what a fetch had found by then is written down"),
        (
            141,
            """
            whoever read standard output has gone (SIGPIPE), as `head -1` has after a line; a notification that could not be \
            written to it stays to be raised, unless an agent at work was asked, which then has raised it
            """
        ),
        (143, "ended by SIGTERM, in the same way; an agent that is asked to end gives 0"),
    ]

    static func of(_ error: StoreError) -> ExitCode { ExitCode(error.exitStatus) }

    /// Of a notification that could not be printed, by the reason that its sink gives.
    static func of(unprinted reason: String) -> ExitCode {
        reason.contains(String(cString: strerror(EPIPE))) ? readerHasGone : ioError
    }
}

/// Says what went wrong in one sentence on standard error; the caller throws what comes back.
func failure(_ sentence: String, _ status: ExitCode) -> ExitCode {
    Terminal.error(sentence)
    return status
}

/// The same where a notification could not be printed; nothing is said where its reader wanted no more.
func failure(unprinted reason: String) -> ExitCode {
    let status = ExitStatus.of(unprinted: reason)
    return status == ExitStatus.readerHasGone ? status : failure(reason.shown, status)
}

/// The system's own words for why a file could not be read or written.
func cause(of error: any Error) -> String {
    let system = ((error as? CocoaError)?.underlying ?? error) as NSError
    guard system.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(system.code)))
}
