import ArgumentParser
import CrierAgent
import CrierNotifications
import CrierStore

/// Runs what uses the state, and turns its errors into sentences and exit statuses. A damaged state is set aside, never deleted.
func storeErrors<T>(path: String? = nil, _ work: () throws -> T) throws -> T {
    do {
        return try work()
    } catch let error as StoreError {
        throw told(error, path: path)
    }
}

/// - Parameter path: Of the state, where the caller holds its lock; nil leaves the file where it is.
func told(_ error: StoreError, path: String?) -> ExitCode {
    do throws(StoreError) {
        let words = try path.flatMap { path throws(StoreError) in
            try setAside(path, after: error, for: "the next run")
        }
        return failure(words ?? error.description, ExitStatus.of(error))
    } catch {
        return failure(error.description, ExitStatus.of(error))
    }
}

/// What a run does with the state, under its lock. A corrupt state is set aside meanwhile: no other run may be making a new file.
///
/// - Throws: ``StoreError`` where the lock cannot be had, and what `work` throws; what is wrong with the state is told, and thrown as
///   an exit code.
func underLock<T>(
    ofStateAt path: String, _ work: (Store, ReadingMarks) async throws -> T
) async throws -> T {
    let lock = try RunLock(statePath: path)
    tellLoss(of: path)
    do {
        let store = try Store(path: path, integrityCheck: lock.isAfterUncleanEnd ? .always : .ifLogIsLeft)
        lock.readings.limit()
        let result = try await work(store, lock.readings)
        store.closeForGood()
        _ = consume lock
        return result
    } catch let error as StoreError {
        throw told(error, path: path)
    }
}

/// Whether another run is at work, and goes on with it: what is due is its to do, or the next one's.
func isLeftToAnotherRun(_ error: StoreError, statePath: String) -> Bool {
    error.kind == .locked && RunLock.holder(statePath: statePath)?.isStopped != true
}

/// Puts a damaged state out of the way. What the user had allowed goes with what was told: without that, much would be told anew, and
/// nobody would be there to be asked.
///
/// What does not even begin as a database may be anything that `--state` names by mistake, such as the configuration: it is taken
/// for a state only where nothing else lies.
///
/// - Parameter successor: Who goes on with it.
/// - Returns: What was done and what is left for the user to do, in words; nil where the file is left alone.
func setAside(_ path: String, after error: StoreError, for successor: String) throws(StoreError) -> String? {
    var environment = GlobalOptions.environment
    environment["CRIER_STATE"] = nil
    let isOwnPlace = path == ConfigurationPaths.state(environment: environment)
    guard error.kind == .corrupt || error.kind == .noDatabase && isOwnPlace else { return nil }
    let target = try Store.setAside(path: path, now: SystemClock().now)
    let words = "the state file \(path) is corrupt; it was set aside as \(target), and \(successor) starts afresh"
    return "\(words); \(lackOfPermission)"
}

/// Says that a state is lost, where an empty file is left of it: to be called before that is opened, which makes it a new one.
func tellLoss(of path: String) {
    guard Store.isLost(path) else { return }
    Terminal.error(
        "the state file \(path) is empty: what it may have held is lost, and a new one begins; \(lackOfPermission)")
}

/// Of a new state.
private let lackOfPermission = "nothing is raised until you run `crier authorize`"
