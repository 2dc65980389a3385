import CrierTesting
import Foundation
import Synchronization

/// What the origin publishes, and what a receiver that honours the identifier makes of the calls.
final class KillReceiver: Sendable {
    enum Mood: CaseIterable {
        case well, broken, half, silent, gone, busy
        /// It has taken the call, and its answer is lost or breaks off.
        case speechless, tearing
    }

    private struct State {
        var mood = Mood.well
        var first = 1
        var last = 0
        var isOriginSilent = false
        var calls = 0
        var accepted: Set<String> = []
        var bodies: [String: Set<[UInt8]>] = [:]
    }

    private let state = Mutex(State())

    func publish() { state.withLock { $0.last += 1 } }
    /// The feed goes on with its last few items, all of which have been fetched.
    func forgetOldOnes() { state.withLock { $0.first = max($0.first, $0.last - 5) } }
    func set(_ mood: Mood) { state.withLock { $0.mood = mood } }
    func setOriginSilent(_ isSilent: Bool) { state.withLock { $0.isOriginSilent = isSilent } }

    var last: Int { state.withLock { $0.last } }
    var calls: Int { state.withLock { $0.calls } }
    var notifications: Int { state.withLock { $0.accepted.count } }
    /// Identifiers that came with more than one content.
    var changed: Int { state.withLock { $0.bodies.values.count { $0.count > 1 } } }

    /// Under how many identifiers each item was accepted.
    var told: [Int: Int] {
        let bodies = state.withLock { state in state.accepted.compactMap { state.bodies[$0]?.first } }
        return bodies.reduce(into: [:]) { told, body in
            if let number = itemNumber(String(decoding: body, as: UTF8.self)) { told[number, default: 0] += 1 }
        }
    }

    var feed: ScriptedAnswer {
        let (range, isSilent) = state.withLock { ($0.first..<($0.last + 1), $0.isOriginSilent) }
        return isSilent ? .hang : ScriptedAnswer(body: atomFeed(range))
    }

    func answer(_ request: ReceivedRequest) -> ScriptedAnswer {
        let identifier = request.fields["webhook-id"] ?? "none"
        return state.withLock { state in
            state.calls += 1
            state.bodies[identifier, default: []].insert(request.body)
            switch state.mood {
            case .well:
                state.accepted.insert(identifier)
                return ScriptedAnswer(status: 204)
            case .speechless:
                state.accepted.insert(identifier)
                return .raw("")
            case .tearing:
                state.accepted.insert(identifier)
                return .raw("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\ntak")
            case .broken: return ScriptedAnswer(status: 500)
            case .half: return .raw("HTTP/1.1 500 Half\r\nContent-Length: 100\r\n\r\nhal")
            case .silent: return .hang
            case .gone: return ScriptedAnswer(status: 410)
            case .busy: return ScriptedAnswer(status: 429, fields: ["Retry-After": "3600"])
            }
        }
    }
}

/// The number of the item that a document tells of.
func itemNumber(_ document: String) -> Int? {
    document.firstMatch(of: /"title":"Item (\d+)"/).flatMap { Int($0.1) }
}
