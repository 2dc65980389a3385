import ArgumentParser

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for a shell.",
        discussion: """
            bash: crier completion bash > ~/.local/share/bash-completion/completions/crier
            zsh:  crier completion zsh > a folder of $fpath, as _crier
            fish: crier completion fish > ~/.config/fish/completions/crier.fish
            """)

    enum Shell: String, ExpressibleByArgument, CaseIterable {
        case bash, zsh, fish

        var argumentParserShell: CompletionShell {
            switch self {
            case .bash: .bash
            case .zsh: .zsh
            case .fish: .fish
            }
        }
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        Terminal.line(Crier.completionScript(for: shell.argumentParserShell))
    }
}
