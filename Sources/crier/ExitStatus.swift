import ArgumentParser
import CrierAgent
import CrierStore
import Foundation

/// The exit statuses (sysexits.h), by name.
enum ExitStatus {
    static let unreadableData = ExitCode(65)
    static let noInput = ExitCode(66)
    static let unavailable = ExitCode(69)
    static let cannotCreate = ExitCode(73)
    static let ioError = ExitCode(74)
    static let temporaryFailure = ExitCode(75)
    static let notAuthorized = ExitCode(77)
    static let badConfiguration = ExitCode(78)

    static func of(_ error: StoreError) -> ExitCode {
        switch error.kind {
        case .locked, .busy: temporaryFailure
        case .corrupt, .newer: unreadableData
        case .exists: cannotCreate
        case .readOnly, .diskFull, .cannotOpen, .failed: ioError
        }
    }
}

/// Says what went wrong in one sentence on standard error; the caller throws what comes back.
func failure(_ sentence: String, _ status: ExitCode) -> ExitCode {
    Terminal.error(sentence)
    return status
}

/// The system's own words for why a file could not be read or written.
func cause(of error: any Error) -> String {
    let system = ((error as? CocoaError)?.underlying ?? error) as NSError
    guard system.domain == NSPOSIXErrorDomain else { return error.localizedDescription }
    return String(cString: strerror(Int32(system.code)))
}

/// Runs what may take long; SIGINT and SIGTERM end it in order, with the exit status that shells expect.
func interruptible<Result: Sendable>(_ work: @escaping @Sendable () async throws -> Result) async throws -> Result {
    do {
        return try await Interruption.cancelOnSignals(work)
    } catch let interruption as Interruption {
        throw ExitCode(128 + interruption.signal)
    }
}
