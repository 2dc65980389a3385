import CrierHTTP
import CrierNotifications
import Foundation

/// A fetch in the background has a time budget, as on iOS: what is not over by then is ended and counts as failed. What a
/// redirect waits for its turn is not the origin's time, and is added.
extension ContentFetcher {
    /// One visit to the origin; cancelled when the budget is spent.
    func visitOrigin(
        of source: Source, _ question: OriginQuestion, _ turn: HostTurn?
    ) async throws(SourceFailure) -> OriginAnswer {
        let move: RedirectObserver = { url throws(HTTPError) in try await turn?.move(to: url) }
        guard let budget else { return try await origin.visit(source, question, beforeRedirect: move) }
        return try await visitOrigin(of: source, question, turn, move, within: budget)
    }

    @inline(never)
    private func visitOrigin(
        of source: Source, _ question: OriginQuestion, _ turn: HostTurn?, _ move: @escaping RedirectObserver,
        within budget: Duration
    ) async throws(SourceFailure) -> OriginAnswer {
        let result = await withTaskGroup(of: Result<OriginAnswer, SourceFailure>?.self) { group in
            group.addTask { [origin] in
                do throws(SourceFailure) {
                    return .success(try await origin.visit(source, question, beforeRedirect: move))
                } catch {
                    return .failure(error)
                }
            }
            group.addTask { [clock] in
                // For a length, as the time of day may be set meanwhile.
                var (rest, added) = (budget, 0.0)
                while rest > .zero, !Task.isCancelled {
                    try? await clock.sleep(for: rest)
                    let waited = turn?.waited ?? 0
                    (rest, added) = (.seconds(waited - added), waited)
                }
                return nil
            }
            let first = await group.next() ?? nil
            group.cancelAll()
            // In no time at all nothing is over, however quick it was.
            let mayBeOver = budget > .zero
            if let first, mayBeOver { return first }
            // What has come in the same moment counts; so does why a fetch ends that is itself cancelled.
            let last = await group.next() ?? nil
            if mayBeOver, case .success(let answer) = last { return .success(answer) }
            if Task.isCancelled, let last { return last }
            return .failure(SourceFailure(cause: "the time budget of \(budget.words) for one fetch is spent"))
        }
        return try result.get()
    }
}
