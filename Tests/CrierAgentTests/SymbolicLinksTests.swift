import CrierProcess
import CrierTesting
import Foundation
import Testing

/// Links in folders in which anybody may put one.
@Suite struct SymbolicLinksTests {
    @Test(.enabled(if: geteuid() == 0, "only the superuser can make another user's link"))
    func aStrangersLinkInEverybodysFolderIsNotFollowed() throws {
        let folder = try TemporaryFolder()
        let target = try folder.write("mine", to: "target")
        let (own, strangers) = (folder.file("own"), folder.file("strangers"))
        for link in [own, strangers] { #expect(symlink(target, link) == 0) }
        #expect(lchown(strangers, 65_534, 65_534) == 0)
        #expect(SymbolicLinks.target(of: strangers) == target, "in a folder of one's own")
        #expect(chmod(folder.path, 0o1777) == 0)
        #expect(SymbolicLinks.target(of: own) == target)
        #expect(SymbolicLinks.target(of: strangers) == nil && errno == EACCES)
        #expect(chown(folder.path, 65_534, 65_534) == 0)
        #expect(SymbolicLinks.target(of: strangers) == target, "the folder's owner's own")
    }
}
