import CrierProcess
import Foundation

/// A folder of a test's own, removed when the last reference to it goes.
public final class TemporaryFolder: Sendable {
    public let path: String

    /// - Parameter inMemory: Whether it lies in a file system of memory, where there is one.
    public init(inMemory: Bool = false) throws {
        let memory = "/dev/shm/"
        let isPossible = inMemory && FileManager.default.isWritableFile(atPath: memory)
        path = (isPossible ? memory : NSTemporaryDirectory()) + "crier-test-" + UUID().uuidString
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
    }

    deinit {
        try? FileManager.default.removeItem(atPath: path)
    }

    /// The path of a file in the folder.
    public func file(_ name: String) -> String { path + "/" + name }

    /// The text of a file; nil where there is none.
    public func read(_ name: String) -> String? { try? String(contentsOfFile: file(name), encoding: .utf8) }

    /// Returns once there is such a file, or the test is cancelled.
    public func appears(_ name: String) async {
        while read(name) == nil, !Task.isCancelled { await Task.yield() }
    }

    /// Writes a file and gives its path.
    @discardableResult
    public func write(_ text: String, to name: String, isExecutable: Bool = false) throws -> String {
        let path = file(name)
        try FileManager.default.createDirectory(
            atPath: PathText.folder(of: path), withIntermediateDirectories: true)
        guard isExecutable else {
            try Data(text.utf8).write(to: URL(fileURLWithPath: path))
            return path
        }
        // By another process: a program that another test starts at this moment would hold what this one has open, until
        // it is itself, and no file runs that somebody has open for writing ("Text file busy").
        let null = [O_RDONLY, O_WRONLY, O_WRONLY].compactMap { Descriptor(open("/dev/null", $0 | O_CLOEXEC)) }
        let script = "printf %s \"$1\" > \"$2\" && chmod 755 \"$2\""
        let started = ProgramStart.process(
            "/bin/sh", ["sh", "-c", script, "sh", text, path], variables: nil, streams: null)
        var status: Int32 = -1
        if case .success(let shell) = started { while waitpid(shell, &status, 0) < 0, errno == EINTR {} }
        guard status == 0 else { throw CocoaError(.fileWriteUnknown) }
        return path
    }
}
