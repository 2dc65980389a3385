/// Paths in a configuration, which may begin with the user's home folder.
public enum HomePath {
    /// The path with `home` for a leading `~`; nil where that is needed and not an absolute path.
    public static func expanded(_ path: String, home: String?) -> String? {
        guard path.hasPrefix("~/") else { return path }
        guard let home, home.hasPrefix("/") else { return nil }
        return home + path.dropFirst()
    }
}
