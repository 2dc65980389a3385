import ArgumentParser

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for a shell.",
        discussion: """
            Each shell has a place for it; with zsh it is any folder of $fpath:
              crier completion bash \\
                > ~/.local/share/bash-completion/completions/crier
              crier completion zsh > ~/.zfunc/_crier
              crier completion fish > ~/.config/fish/completions/crier.fish
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
