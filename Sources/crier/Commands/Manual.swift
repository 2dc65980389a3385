import ArgumentParser
import CrierProcess
import Foundation

struct Manual: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "manual", abstract: "Write the manual pages.",
        discussion: """
            They are crier(1), one page for each command, such as crier-fetch(1), and crier.yaml(5), which tells every key of \
            the configuration:
              crier manual ~/.local/share/man
              man crier
            That folder is searched by man where ~/.local/bin is in your PATH. Pages of an earlier version are replaced.
            Exit status: 74 when they cannot be written.
            """)

    @Argument(
        help: "The folder that gets man1 and man5; made where there is none.", completion: .directory,
        transform: FilePath.notEmpty)
    var directory: String

    func run() throws {
        let pages = try Self.pages()
        do {
            for page in pages { try write(page) }
        } catch {
            throw failure("cannot write to \(directory.shown): \(cause(of: error).shown)", ExitStatus.ioError)
        }
        Terminal.line("\(directory.shown): \(pages.count) pages")
    }

    static func pages() throws -> [ManualPage] {
        let crier = try CommandDescription.ofCrier()
        let commands = (crier.subcommands ?? []).filter { $0.commandName != "help" }
        return [.ofCrier(crier)] + commands.map(ManualPage.init) + [.ofConfiguration()]
    }

    private func write(_ page: ManualPage) throws {
        let folder = URL(fileURLWithPath: SymbolicLinks.resolved(directory)).appendingPathComponent(
            "man\(page.section)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try Data(page.text.utf8)
            .write(to: folder.appendingPathComponent("\(page.name).\(page.section)"), options: .atomic)
    }
}
