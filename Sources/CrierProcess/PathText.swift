/// Parts of a path by its text alone, whatever there is.
package enum PathText {
    /// The folder that a path's last part stands in (dirname(3)): `.` for a name by itself, `/` for the root. Slashes at its end do
    /// not count.
    package static func folder(of path: String) -> String { split(path).folder }

    /// The folder, and the name in it (basename(3)), which is empty for the root and for no path.
    package static func split(_ path: String) -> (folder: String, name: String) {
        let whole = withoutEnd(path[...])
        guard let slash = whole.utf8.lastIndex(of: UInt8(ascii: "/")) else {
            return (whole.isEmpty && !path.isEmpty ? "/" : ".", String(whole))
        }
        let folder = withoutEnd(whole[..<slash])
        return (folder.isEmpty ? "/" : String(folder), String(whole[whole.utf8.index(after: slash)...]))
    }

    /// The path of a name in a folder.
    package static func join(_ folder: String, _ name: String) -> String {
        folder == "/" ? "/\(name)" : "\(folder)/\(name)"
    }

    /// By bytes, as a mark behind a slash makes another character of both.
    private static func withoutEnd(_ path: Substring) -> Substring {
        var bytes = path.utf8
        while bytes.last == UInt8(ascii: "/") { bytes.removeLast() }
        return path[..<bytes.endIndex]
    }
}
