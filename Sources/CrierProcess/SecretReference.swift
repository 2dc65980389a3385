import Dispatch

import struct Foundation.Data
import class Foundation.FileHandle
import protocol Foundation.LocalizedError

#if canImport(Glibc)
    import Glibc
#elseif canImport(Musl)
    import Musl
#else
    import Darwin
#endif

/// Where a secret is found. The secret itself never stands in the configuration.
public enum SecretReference: Sendable, Hashable {
    /// An environment variable, without its last line end.
    case environment(String)
    /// The content of a file without its last line end: an absolute path, or one that begins with `~/`.
    case file(String)
    /// A credential of the systemd service that this process is (`LoadCredential=`), by its name; its content as of a file.
    case credential(String)
    /// What a program prints without its last line end; run without a shell.
    case command([String])

    /// Where that is, which is as secret.
    package var place: [String] {
        switch self {
        case .environment(let name): ["environment", name]
        case .file(let path): ["file", path]
        case .credential(let name): ["credential", name]
        case .command(let words): ["command"] + words
        }
    }

    /// The secret.
    ///
    /// - Parameters:
    ///   - environment: The process's variables; `HOME` is what `~` stands for, `CREDENTIALS_DIRECTORY` where credentials are.
    ///   - run: Runs a program with arguments and returns what it prints.
    /// - Throws: ``SecretError``, or what `run` throws.
    package func resolve(
        environment: [String: String], run: (_ command: [String]) async throws -> [UInt8]
    ) async throws -> String {
        switch self {
        case .environment(let name):
            guard let value = environment[name] else { throw SecretError("the environment variable is not set") }
            return try Self.checked(value)
        case .file(let path):
            return try Self.text(of: try await Self.contents(of: path, home: environment["HOME"]))
        case .credential(let name):
            guard let folder = environment["CREDENTIALS_DIRECTORY"], folder.hasPrefix("/") else {
                throw SecretError("it is a credential of a service, and this process was not given any")
            }
            return try Self.text(of: try await Self.contents(of: "\(folder)/\(name)", home: nil))
        case .command(let command):
            return try Self.text(of: try await run(command))
        }
    }

    /// The secret; a program has 10 s to print it, and 64 KiB.
    ///
    /// - Throws: ``SecretError``, which repeats nothing of what a program says.
    public func resolve(environment: [String: String]) async throws -> String {
        try await resolve(environment: environment) { command in
            let ending: BoundedProgram.Ending
            do throws(ProgramFailure) {
                ending = try await BoundedProgram(command).run(limit: .seconds(10), outputLimit: Self.mostBytes)
            } catch {
                let words = error.printedTooMuch ? "printed more than 64 KiB" : "cannot be run"
                throw SecretError("its program \(words)")
            }
            if ending.isOverdue { throw SecretError("its program did not end within 10 s") }
            guard ending.exitCode == 0 else { throw SecretError("its program failed") }
            return ending.output
        }
    }

    private static let mostBytes = 64 << 10

    /// Waits on a thread of its own, as the disk may not answer.
    private static func contents(of path: String, home: String?) async throws -> [UInt8] {
        guard let path = HomePath.expanded(path, home: home) else {
            throw SecretError("the path begins with ~ but HOME is not an absolute path")
        }
        return try await withCheckedThrowingContinuation { continuation in
            DispatchQueue(label: "crier secret").async {
                continuation.resume(with: Result { try contents(ofFileAt: path) })
            }
        }
    }

    private static func contents(ofFileAt path: String) throws -> [UInt8] {
        // To open a pipe is else to wait for its writer.
        let descriptor = Descriptor(open(path, O_RDONLY | O_CLOEXEC | O_NONBLOCK))
        var status = stat()
        guard let descriptor, fstat(descriptor.number, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let bytes = try? FileHandle(fileDescriptor: descriptor.number).read(upToCount: mostBytes + 1) ?? Data()
        else { throw SecretError("the file cannot be read") }
        guard bytes.count <= mostBytes else { throw SecretError("the file is longer than 64 KiB") }
        return [UInt8](bytes)
    }

    private static func text(of bytes: [UInt8]) throws -> String {
        guard let text = String(validating: bytes, as: UTF8.self) else { throw SecretError("it is not UTF-8 text") }
        return try checked(text)
    }

    /// The secret without its last line end.
    private static func checked(_ text: String) throws -> String {
        let secret = ["\n", "\r\n"].contains(text.last) ? String(text.dropLast()) : text
        guard !secret.isEmpty else { throw SecretError("it is empty") }
        return secret
    }
}

/// Why a secret cannot be had; says neither the secret nor where it was sought.
public struct SecretError: LocalizedError, Sendable, Hashable, CustomStringConvertible {
    /// Such as `the environment variable is not set`.
    public let reason: String
    public var description: String { "the secret cannot be read: \(reason)" }
    public var errorDescription: String? { description }

    init(_ reason: String) {
        self.reason = reason
    }
}

/// A command line may hold a password, and people put a secret where its name belongs: what is printed shows neither.
extension SecretReference: CustomStringConvertible, CustomDebugStringConvertible, CustomReflectable {
    public var description: String {
        switch self {
        case .environment: "secret from the environment"
        case .file: "secret from a file"
        case .credential: "secret from a credential"
        case .command: "secret from a command"
        }
    }

    public var debugDescription: String { description }

    public var customMirror: Mirror { Mirror(self, children: []) }
}
