import CrierTesting
import Foundation
import Synchronization
import Testing

@testable import CrierDelivery

@Suite("Files on the disk")
struct DiskFileTests {
    @Test("What somebody puts in the place of the new file while it is made is not written to")
    func foreignFile() throws {
        let folder = try TemporaryFolder()
        let (path, letter) = (folder.file("feed.xml"), try folder.write("dear friend", to: "letter"))
        let isOver = Atomic(false)
        Thread.detachNewThread {
            while !isOver.load(ordering: .relaxed) { _ = link(letter, path + ".new") }
        }
        var attempts = 0
        while attempts < 5_000, folder.read("letter") == "dear friend" {
            attempts += 1
            // In vain where it is there each time.
            try? DiskFile.replace(path, with: Array("<feed/>".utf8))
        }
        isOver.store(true, ordering: .relaxed)
        #expect(folder.read("letter") == "dear friend")
    }
}
