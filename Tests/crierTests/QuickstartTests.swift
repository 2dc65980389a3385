import CrierTesting
import Foundation
import Testing

/// What a newcomer sees of `scripts/quickstart`, with the binary that is built already.
@Suite struct QuickstartTests {
    @Test(
        .enabled(
            if: FileManager.default.fileExists(atPath: "/usr/bin/dpkg-query"),
            "it installs Debian packages where they are missing"))
    func itShowsTwoFetchesAndLeavesTheUsersFilesAlone() async throws {
        var crier = try BuiltCrier("# mine\n")
        // Stands for the compiler: what it would build is there.
        try crier.folder.write(
            """
            #!/bin/sh
            case "$*" in *--show-bin-path*) dirname '\(BuiltCrier.binary)' ;; esac
            """, to: "bin/swift", isExecutable: true)
        crier.environment["PATH"] = crier.folder.file("bin") + ":" + (crier.environment["PATH"] ?? "")
        crier.environment["HOME"] = crier.folder.path
        let before = try FileManager.default.subpathsOfDirectory(atPath: crier.folder.path).sorted()
        let run = try await crier.run([]) { process in
            process.executableURL = URL(fileURLWithPath: "/bin/bash")
            process.arguments = [Checkout.file("scripts/quickstart")]
        }
        #expect(run.status == 0, "\(run.errors)")
        let output = run.output
        let first = try #require(output.range(of: "$ crier fetch\n"))
        let second = try #require(output.range(of: "$ crier fetch --force\n"))
        let status = try #require(output.range(of: "$ crier status\n"))
        // Either source may be the first.
        let raised = "\n" + output[first.upperBound..<second.lowerBound]
        #expect(raised.contains("\n干货更新啦\n"))
        #expect(raised.contains("\nFog & the new horn\n  The Lighthouse Log\n"))
        #expect(raised.contains("raised 3 notifications (stdout)."))
        #expect(output[second.upperBound..<status.lowerBound].hasPrefix("Nothing new in 2 sources.\n"))
        #expect(output.contains("Now a real feed"))
        let after = try FileManager.default.subpathsOfDirectory(atPath: crier.folder.path).sorted()
        #expect(after.filter { !$0.hasPrefix("output-") && !$0.hasPrefix("errors-") } == before)
        #expect(crier.folder.read("crier.yaml") == "# mine\n")
    }
}
