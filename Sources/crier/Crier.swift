import ArgumentParser

@main
struct Crier: AsyncParsableCommand {
    static let configuration = CommandConfiguration(commandName: "crier", abstract: "Pseudo-push for any content.")
}
