import CLinux
import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

@Suite("A configuration file is replaced as a whole")
struct ConfigurationFileTests {
    private let files = FileManager.default
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    private func mode(_ path: String) throws -> Int? {
        try files.attributesOfItem(atPath: path)[.posixPermissions] as? Int
    }

    @Test func aNewFileIsPrivate() async throws {
        let file = ConfigurationFile(path: folder.file("new/crier/crier.yaml"))
        try file.write("sources: {}\n")
        #expect(try readText(file.path) == "sources: {}\n")
        #expect(try file.read() == Array("sources: {}\n".utf8))
        #expect(try mode(file.path) == 0o600)
        #expect(try mode(folder.file("new/crier")) == 0o700)
        #expect(try mode(folder.file("new")) == 0o700)
    }

    @Test func theModeStaysAndNothingIsLeftBehind() async throws {
        let path = try folder.write("old", to: "crier.yaml")
        try files.setAttributes([.posixPermissions: 0o640], ofItemAtPath: path)
        let long = String(repeating: "# 干货\n", count: 50_000)
        try ConfigurationFile(path: path).write(long)
        #expect(try readText(path) == long)
        #expect(try ConfigurationFile(path: path).read() == Array(long.utf8))
        #expect(try mode(path) == 0o640)
        #expect(try files.contentsOfDirectory(atPath: folder.path) == ["crier.yaml"])
    }

    @Test func whatNobodyMayWriteIsNotEdited() async throws {
        let path = try folder.write("old", to: "crier.yaml")
        try files.setAttributes([.posixPermissions: 0o444], ofItemAtPath: path)
        let error = #expect(throws: ConfigurationFileError.self) {
            try ConfigurationFile(path: path).update { _ in "new" }
        }
        #expect(error?.description == "\(path): cannot write: Permission denied")
        #expect(try readText(path) == "old")
    }

    @Test func theGroupStays() async throws {
        let path = try folder.write("old", to: "crier.yaml")
        guard chown(path, geteuid(), 12_345) == 0 else { return print("skipped: the group may not be changed") }
        try ConfigurationFile(path: path).write("new")
        #expect(try files.attributesOfItem(atPath: path)[.groupOwnerAccountID] as? Int == 12_345)
    }

    #if os(Linux)
        /// Owner, a user, group, mask and others, each as kind, permissions and number: the group is given nothing.
        private static let accessList: [UInt8] =
            [2, 0, 0, 0, 1, 0, 6, 0, 255, 255, 255, 255, 2, 0, 4, 0, 57, 48, 0, 0, 4, 0, 0, 0, 255, 255, 255, 255]
            + [16, 0, 4, 0, 255, 255, 255, 255, 32, 0, 0, 0, 255, 255, 255, 255]

        private func accessList(_ path: String) -> [UInt8] {
            var list = [UInt8](repeating: 0, count: 100)
            let size = getxattr(path, "system.posix_acl_access", &list, list.count)
            return Array(list.prefix(max(0, size)))
        }

        @Test func theAccessListStays() async throws {
            let path = try folder.write("old", to: "crier.yaml")
            guard setxattr(path, "system.posix_acl_access", Self.accessList, Self.accessList.count, 0) == 0 else {
                return print("skipped: the disk knows no access lists")
            }
            try ConfigurationFile(path: path).write("new")
            #expect(try readText(path) == "new" && mode(path) == 0o640)
            #expect(accessList(path) == Self.accessList)
        }

        /// Its owner may have taken it away.
        @Test func theListOfTheFolderIsNotGivenToAFileWithoutOne() async throws {
            let path = try folder.write("old", to: "crier.yaml")
            guard setxattr(folder.path, "system.posix_acl_default", Self.accessList, Self.accessList.count, 0) == 0
            else {
                return print("skipped: the disk knows no access lists")
            }
            try ConfigurationFile(path: path).write("new")
            #expect(try readText(path) == "new" && accessList(path) == [])
        }
    #endif

    @Test func whatIsNoRegularFileIsNotReplaced() async throws {
        let (pipe, link) = (folder.file("pipe"), folder.file("crier.yaml"))
        #expect(mkfifo(pipe, 0o600) == 0)
        try files.createSymbolicLink(atPath: link, withDestinationPath: "pipe")
        for path in [pipe, link] {
            let file = ConfigurationFile(path: path)
            let error = #expect(throws: ConfigurationFileError.self) { try file.write("new") }
            #expect(error?.description == "\(path): it is no regular file, and no other is replaced")
            #expect(throws: ConfigurationFileError.self) { try file.update { _ in "new" } }
        }
        #expect(try files.attributesOfItem(atPath: pipe)[.type] as? FileAttributeType == .typeUnknown)
    }

    @Test("a symbolic link stays a link", arguments: [true, false])
    func link(isRelative: Bool) async throws {
        try files.createDirectory(atPath: folder.file("home"), withIntermediateDirectories: true)
        let target = try folder.write("old", to: "dotfiles/crier.yaml")
        try files.createSymbolicLink(
            atPath: folder.file("home/middle"), withDestinationPath: isRelative ? "../dotfiles/crier.yaml" : target)
        let link = folder.file("home/crier.yaml")
        try files.createSymbolicLink(atPath: link, withDestinationPath: "middle")
        try ConfigurationFile(path: link).write("new")
        #expect(try readText(target) == "new")
        #expect(try files.destinationOfSymbolicLink(atPath: link) == "middle")
        #expect(try files.contentsOfDirectory(atPath: folder.file("home")).sorted() == ["crier.yaml", "middle"])
    }

    @Test func aLinkToNothingGetsItsTarget() async throws {
        try files.createSymbolicLink(atPath: folder.file("link"), withDestinationPath: "there/crier.yaml")
        try ConfigurationFile(path: folder.file("link")).write("new")
        #expect(try readText(folder.file("there/crier.yaml")) == "new")
    }

    @Test func failuresSayWhich() async throws {
        let missing = ConfigurationFile(path: folder.file("missing.yaml"))
        let error = #expect(throws: ConfigurationFileError.self) { try missing.read() }
        #expect(error?.isMissing == true)
        #expect(error?.description == "\(missing.path): cannot read: No such file or directory")
        #expect(throws: ConfigurationFileError.self) { try ConfigurationFile(path: folder.path).read() }
        try files.createSymbolicLink(atPath: folder.file("a"), withDestinationPath: "b")
        try files.createSymbolicLink(atPath: folder.file("b"), withDestinationPath: "a")
        #expect(throws: ConfigurationFileError.self) { try ConfigurationFile(path: folder.file("a")).write("x") }
        try folder.write("", to: "file")
        #expect(throws: ConfigurationFileError.self) { try ConfigurationFile(path: folder.file("file/x")).write("x") }
        #expect(throws: ConfigurationFileError.self) { try ConfigurationFile(path: folder.path).write("x") }
        #expect(try files.contentsOfDirectory(atPath: folder.path).sorted() == ["a", "b", "file"])
    }
}

@Suite("Where the configuration and the state are")
struct ConfigurationPathsTests {
    @Test(
        "the first that is given",
        arguments: [
            (nil, ["HOME": "/h"], "/h/.config/crier/crier.yaml", "/h/.local/state/crier/crier.sqlite"),
            (nil, ["HOME": "/h/"], "/h/.config/crier/crier.yaml", "/h/.local/state/crier/crier.sqlite"),
            (
                nil, ["HOME": "/h", "XDG_CONFIG_HOME": "/c", "XDG_STATE_HOME": "/s/"], "/c/crier/crier.yaml",
                "/s/crier/crier.sqlite"
            ),
            (
                nil, ["HOME": "/h", "XDG_CONFIG_HOME": "c", "XDG_STATE_HOME": "./s"], "/h/.config/crier/crier.yaml",
                "/h/.local/state/crier/crier.sqlite"
            ),
            (
                nil, ["HOME": "/h", "XDG_CONFIG_HOME": "", "CRIER_CONFIG": "", "CRIER_STATE": ""],
                "/h/.config/crier/crier.yaml", "/h/.local/state/crier/crier.sqlite"
            ),
            (nil, ["XDG_CONFIG_HOME": "/c", "CRIER_CONFIG": "x.yaml", "CRIER_STATE": "/x.db"], "x.yaml", "/x.db"),
            ("mine", ["HOME": "/h", "CRIER_CONFIG": "x.yaml", "CRIER_STATE": "/x.db"], "mine", "mine"),
            (nil, [:], nil, nil), (nil, ["HOME": "h"], nil, nil),
        ] as [(String?, [String: String], String?, String?)])
    func paths(option: String?, environment: [String: String], configuration: String?, state: String?) {
        #expect(ConfigurationPaths.configuration(option: option, environment: environment) == configuration)
        #expect(ConfigurationPaths.state(option: option, environment: environment) == state)
    }
}
