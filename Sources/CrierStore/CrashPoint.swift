#if DEBUG
    import Foundation
    import Synchronization
#endif

/// The statements between fetch and delivery at which a test kills the process; a release build has none of it.
package enum CrashPoint: String, CaseIterable, Sendable {
    case requestAfter = "request.after"
    case readingInside = "reading.inside"
    case commitBefore = "commit.before"
    case commitInside = "commit.inside"
    case commitEnd = "commit.end"
    case commitAfter = "commit.after"
    case digestInside = "digest.inside"
    case digestEnd = "digest.end"
    case digestAfter = "digest.after"
    case holdInside = "hold.inside"
    case releaseInside = "release.inside"
    case releaseAfter = "release.after"
    case beginBefore = "begin.before"
    case beginInside = "begin.inside"
    case beginAfter = "begin.after"
    case sinkAccepted = "sink.accepted"
    case finishInside = "finish.inside"
    case finishAfter = "finish.after"
    case failureInside = "failure.inside"
    case failureAfter = "failure.after"
    case goneInside = "gone.inside"
    case retryInside = "retry.inside"
    case pruneInside = "prune.inside"
    case pruneAfter = "prune.after"

    /// Kills the process where `CRIER_CRASH_AT` is this point's name, or `name:n`: then at its n-th passage.
    @inline(__always)
    package static func reached(_ point: CrashPoint) {
        #if DEBUG
            guard let wish = ProcessInfo.processInfo.environment["CRIER_CRASH_AT"] else { return }
            let parts = wish.split(separator: ":")
            guard parts.first.map(String.init) == point.rawValue else { return }
            let passage = passages.withLock { count in
                count += 1
                return count
            }
            if passage == (parts.count > 1 ? Int(parts[1]) : 1) { kill(getpid(), SIGKILL) }
        #endif
    }

    #if DEBUG
        /// Of the one point that the environment names.
        private static let passages = Mutex(0)
    #endif
}
