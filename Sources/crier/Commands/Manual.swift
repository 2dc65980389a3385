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
        for page in pages {
            let code = write(page)
            guard code == 0 else {
                let cause = String(cString: strerror(code))
                throw failure("cannot write to \(directory.shown): \(cause)", ExitStatus.ioError)
            }
        }
        Terminal.line("\(directory.shown): \(pages.count) pages")
    }

    static func pages() throws -> [ManualPage] {
        let crier = try CommandDescription.ofCrier()
        let commands = (crier.subcommands ?? []).filter { $0.commandName != "help" }
        return [.ofCrier(crier)] + commands.map(ManualPage.init) + [.ofConfiguration()]
    }

    /// Returns the number of the error; 0 where it is done.
    private func write(_ page: ManualPage) -> Int32 {
        let folder = PathText.join(SymbolicLinks.resolved(directory), "man\(page.section)")
        let code = FolderMaking.make(folder, mode: 0o755)
        guard code == 0 else { return code }
        let path = PathText.join(folder, "\(page.name).\(page.section)")
        return FileReplacement.replace(path, with: Array(page.text.utf8), mode: nil)
    }
}
