#if os(Linux)
    import Foundation

    /// Notices by inotify(7) that a path means another file, or that its file was written.
    struct FileWatch {
        /// What happens to a folder or a link itself. All else that happens in the folders on the way wakes nobody.
        private static let replaced = UInt32(IN_DELETE_SELF | IN_MOVE_SELF | IN_UNMOUNT)
        /// A file was written to its end or moved to its place, or something was made.
        private static let written = UInt32(IN_CLOSE_WRITE | IN_MOVED_TO)
        /// A file was removed, or moved away.
        private static let gone = UInt32(IN_DELETE | IN_MOVED_FROM)

        /// Of inotify.
        private let descriptor: Int32
        private let path: String
        private let subject: WorldEvents.FileSubject
        private var steps: Set<Int32> = []
        /// The folder that the file is in.
        private var folder: Int32 = -1
        private var trail: FileTrail

        init(of path: String, for subject: WorldEvents.FileSubject, by descriptor: Int32) {
            self.path = path
            self.subject = subject
            self.descriptor = descriptor
            trail = FileTrail(to: path)
            follow()
        }

        /// Whether the system tells of what is written there; not where its watches are used up, or the folder may not be read.
        var isHeard: Bool { folder >= 0 }

        /// Whether one of the events means that the file is to be looked at again. The watches are where they have to be then.
        mutating func isTold(by events: [(event: inotify_event, name: String)]) -> Bool {
            let ofFile = events.filter { $0.event.wd == folder && $0.name == trail.name }
            let isReplaced = events.contains { steps.contains($0.event.wd) && $0.event.mask & Self.replaced != 0 }
            // More has happened than the kernel keeps, on no watch in particular: the file may be among it.
            let isMore = events.contains { $0.event.mask & UInt32(IN_Q_OVERFLOW) != 0 }
            guard isReplaced || isMore || !ofFile.isEmpty else { return false }
            let before = (steps, folder)
            follow()
            if subject == .place { return true }
            // A file that was just made has yet to be written; what was moved into its place is complete.
            let isWritten = isMore || ofFile.contains { $0.event.mask & Self.written != 0 }
            return trail.isWhole && (isWritten || (steps, folder) != before)
        }

        /// Folders are watched, not the file: an editor puts a new one in its place.
        private mutating func follow() {
            let before = steps
            repeat {
                trail = FileTrail(to: path)
                steps = Set(trail.steps.map { watch($0, for: Self.replaced) })
                let gone = subject == .place ? Self.gone : 0
                folder = watch(trail.folder, for: Self.replaced | Self.written | UInt32(IN_CREATE) | gone)
                steps.insert(folder)
                // What was replaced before it was watched has told nobody.
            } while trail != FileTrail(to: path)
            for watch in before.subtracting(steps) { inotify_rm_watch(descriptor, watch) }
        }

        /// One that may not be watched is left out.
        private func watch(_ path: String, for mask: UInt32) -> Int32 {
            inotify_add_watch(descriptor, path, mask | UInt32(IN_DONT_FOLLOW))
        }
    }
#endif
