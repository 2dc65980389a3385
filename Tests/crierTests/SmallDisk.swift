import CrierTesting
import Foundation

/// A file system in memory of a few hundred kilobytes; only root may mount one.
struct SmallDisk {
    private let path: String

    init?(at path: String, options: String) async throws {
        self.path = path
        try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        guard geteuid() == 0, try await Self.mount(["-t", "tmpfs", "-o", options, "tmpfs", path]) else {
            print("skipped: a small disk cannot be mounted here")
            return nil
        }
    }

    /// One on which the state lies.
    ///
    /// - Parameter name: Of its folder.
    init?(withStateOf crier: inout BuiltCrier, name: String = "disk", options: String) async throws {
        try await self.init(at: crier.folder.file(name), options: options)
        crier.environment["CRIER_STATE"] = crier.folder.file("\(name)/crier.sqlite")
    }

    func remount(_ option: String) async throws {
        _ = try await Self.mount(["-o", "remount,\(option)", path])
    }

    func unmount() async throws {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/umount")
        process.arguments = [path]
        try await process.runToEnd()
    }

    private static func mount(_ arguments: [String]) async throws -> Bool {
        let process = ChildProcess()
        process.executableURL = URL(fileURLWithPath: "/bin/mount")
        process.arguments = arguments
        process.standardError = FileHandle.nullDevice
        try await process.runToEnd()
        return process.terminationStatus == 0
    }
}
