import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery

@Suite("Files on the disk")
struct DiskFileTests {
    @Test("What somebody has beside a file that is replaced is theirs, whatever it is called")
    func neighbours() throws {
        let folder = try TemporaryFolder()
        for name in ["feed.xml.new", "feed.xml~", ".feed.xml.tmp"] { try folder.write("dear friend", to: name) }
        for text in ["<feed/>", "<feed><entry/></feed>"] {
            try DiskFile.replace(folder.file("feed.xml"), with: Array(text.utf8))
            #expect(folder.read("feed.xml") == text)
        }
        let names = try FileManager.default.contentsOfDirectory(atPath: folder.path)
        #expect(names.sorted() == [".feed.xml.tmp", "feed.xml", "feed.xml.new", "feed.xml~"])
        #expect(folder.read("feed.xml.new") == "dear friend")
    }

    @Test("What a killed run has left is taken away, and what another has begun just now is not")
    func leftover() throws {
        let folder = try TemporaryFolder()
        let left = try folder.write("<fee", to: ".crier.feed.xml.tmp")
        try DiskFile.replace(folder.file("feed.xml"), with: Array("<feed/>".utf8))
        #expect(folder.read(".crier.feed.xml.tmp") == "<fee" && folder.read("feed.xml") == "<feed/>")
        let old = Date(timeIntervalSinceNow: -3_600)
        try FileManager.default.setAttributes([.modificationDate: old], ofItemAtPath: left)
        try DiskFile.replace(folder.file("feed.xml"), with: Array("<feed>2</feed>".utf8))
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["feed.xml"])
    }

    @Test("What cannot be replaced is left, and nothing beside it")
    func inVain() throws {
        let folder = try TemporaryFolder()
        try folder.write("a file", to: "feed.xml/within")
        #expect(throws: DiskFile.Failure.self) {
            try DiskFile.replace(folder.file("feed.xml"), with: Array("<feed/>".utf8))
        }
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path) == ["feed.xml"])
    }
}
