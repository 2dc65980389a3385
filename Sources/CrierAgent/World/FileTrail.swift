import CrierProcess
import Foundation

/// What leads to a file: the folders and links of its path, and of the targets of those links.
struct FileTrail: Equatable {
    /// As many as the kernel follows (path_resolution(7)).
    private static let mostLinks = 40

    /// Folders and links on the way, without the root. No other link stands in their paths.
    private(set) var steps: [String] = []
    /// The folder that the file is in; where something is missing on the way, the one that has to get it.
    private(set) var folder = "/"
    /// Of the file, or of what is missing.
    private(set) var name = ""
    /// Whether the file is there.
    private(set) var isWhole = false

    init(to path: String) {
        var rest = Self.parts(of: path.hasPrefix("/") ? path : FileManager.default.currentDirectoryPath + "/" + path)
        var links = 0
        while let part = rest.popLast() {
            if part == ".." {
                folder = PathText.folder(of: folder)
                continue
            }
            name = part
            let step = PathText.join(folder, part)
            var status = stat()
            guard lstat(step, &status) == 0 else { return }
            switch status.st_mode & S_IFMT {
            case S_IFDIR:
                steps.append(step)
                folder = step
            case S_IFLNK:
                links += 1
                guard links <= Self.mostLinks,
                    let target = try? FileManager.default.destinationOfSymbolicLink(atPath: step)
                else { return }
                steps.append(step)
                if target.hasPrefix("/") { folder = "/" }
                rest += Self.parts(of: target)
            default:
                isWhole = rest.isEmpty
                return
            }
        }
    }

    /// The last one first.
    private static func parts(of path: String) -> [String] {
        path.split(separator: "/").reversed().map(String.init).filter { $0 != "." }
    }
}
