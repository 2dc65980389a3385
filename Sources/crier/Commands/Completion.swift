import ArgumentParser

struct Completion: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "completion", abstract: "Print a completion script for a shell.",
        discussion: """
            Each shell has a place for it:
              mkdir -p ~/.local/share/bash-completion/completions
              crier completion bash \\
                > ~/.local/share/bash-completion/completions/crier
              mkdir -p ~/.zfunc
              crier completion zsh > ~/.zfunc/_crier
              mkdir -p ~/.config/fish/completions
              crier completion fish > ~/.config/fish/completions/crier.fish
            With zsh it is any folder of $fpath: `fpath+=(~/.zfunc)` stands before `compinit` in ~/.zshrc.
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

        /// How ArgumentParser's script names the program, as it is typed; with what stands for that once `~` and quotes are
        /// read, and with the words that are handed over. Nil where it names no typed word.
        fileprivate var program: (typed: String, read: String, words: String)? {
            switch self {
            case .bash:
                (#""${COMP_WORDS[0]}""#, #""${COMP_WORDS[0]/#\~\//${HOME}/}""#, #""${@}" "${words[@]}""#)
            case .zsh:
                (#""${command_name}""#, #""${(Q)command_name/#\~\//${HOME}/}""#, #""${@}" "${command_line[@]}""#)
            case .fish: nil
            }
        }
    }

    @Argument(help: "bash, zsh or fish.")
    var shell: Shell

    func run() throws {
        let script = Crier.completionScript(for: shell.argumentParserShell)
        guard let (typed, read, words) = shell.program else { return Terminal.line(script) }
        // What is typed may be no path, as `$HOME/bin/crier` or `\crier`, and what a shell says of that would stand in the line.
        let call = "{ \(read) \(words) || crier \(words); } 2>/dev/null"
        Terminal.line(script.replacing("\(typed) \(words)", with: call))
    }
}
