import CrierDelivery

/// Asks in context: with the first notification at hand.
enum AuthorizationPrompt {
    static let ask: AuthorizationQuestion = { first, count in
        let more = count > 1 ? " and \(count - 1) more" : ""
        Terminal.note("Crier has something new for you: “\(first.content.title.shown)”\(more).")
        let isAllowed = await Terminal.askWhether("May Crier raise notifications?")
        if isAllowed == false { Terminal.note("Then it stays silent. `crier authorize` changes that.") }
        return isAllowed
    }
}
