import CrierTesting
import Foundation
import Testing

@testable import CrierAgent

/// What the machine's zone is called.
@Suite struct MachineZoneTests {
    private let zones = "/usr/share/zoneinfo"

    @Test func aLinkNamesIt() throws {
        let folder = try TemporaryFolder()
        let (link, other) = (folder.file("localtime"), folder.file("other"))
        try FileManager.default.createSymbolicLink(
            atPath: link, withDestinationPath: "..\(zones)/America/Argentina/Salta")
        #expect(MachineZone.isLink(link) && MachineZone.name(of: link) == "America/Argentina/Salta")
        try FileManager.default.createSymbolicLink(atPath: other, withDestinationPath: "\(zones)")
        #expect(!MachineZone.isLink(other) && !MachineZone.isLink(folder.file("absent")))
    }

    /// As in containers.
    @Test(arguments: ["Asia/Shanghai", "America/New_York", "Asia/Kuala_Lumpur", "UTC"]) func aCopyIsKnownByWhatItHolds(
        zone: String
    ) throws {
        let folder = try TemporaryFolder()
        let rules = try #require(FileManager.default.contents(atPath: "\(zones)/\(zone)"))
        let copy = folder.file("localtime")
        try rules.write(to: URL(fileURLWithPath: copy))
        #expect(!MachineZone.isLink(copy))
        #expect(MachineZone.name(of: copy, note: "/absent") == zone)
        let stale = try folder.write("Europe/Berlin\n", to: "stale")
        #expect(MachineZone.name(of: copy, note: stale) == zone)
        try (rules + Data([0])).write(to: URL(fileURLWithPath: copy))
        #expect(MachineZone.name(of: copy, note: stale) == nil)
    }

    @Test func ofSeveralAlikeItIsTheOneThatIsNoted() throws {
        let folder = try TemporaryFolder()
        let copy = folder.file("localtime")
        let rules = try #require(FileManager.default.contents(atPath: "\(zones)/PRC"))
        try rules.write(to: URL(fileURLWithPath: copy))
        #expect(MachineZone.name(of: copy, note: try folder.write("PRC\n", to: "note")) == "PRC")
    }
}
