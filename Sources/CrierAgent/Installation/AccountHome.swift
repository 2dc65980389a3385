import Foundation

/// The home folder of the user as the system knows it (passwd(5)), from which cron and systemd take `HOME`. That of a shell may be
/// another, as behind `sudo -E`.
public enum AccountHome {
    /// Nil where there is no such account, as in containers that run under any number.
    public static var path: String? {
        var entry = passwd()
        var found: UnsafeMutablePointer<passwd>?
        return withUnsafeTemporaryAllocation(of: CChar.self, capacity: 16 << 10) { buffer in
            guard let bytes = buffer.baseAddress,
                getpwuid_r(geteuid(), &entry, bytes, buffer.count, &found) == 0, found != nil,
                let folder = entry.pw_dir
            else { return nil }
            return String(cString: folder)
        }
    }
}
