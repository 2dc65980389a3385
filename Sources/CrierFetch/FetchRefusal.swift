import CrierStore

import struct Foundation.Date

/// Why a source was not asked although it could have been.
public struct FetchRefusal: Sendable, Hashable {
    public enum Reason: Sendable, Hashable {
        /// The host wants to be left alone.
        case host(String)
        /// The origin's Retry-After.
        case retryAfter
        /// It was asked moments ago.
        case floor
        /// A redirect leads to a host whose turn comes after the run's end.
        case pace(String)
    }

    /// Who or what wants that.
    public let reason: Reason
    /// When it may be asked again.
    public let until: Date

    init(reason: Reason, until: Date) {
        self.reason = reason
        self.until = until
    }

    /// The first pause among hosts, if there is one.
    init?(of hosts: [HostKey], in states: [String: HostState], now: Date) {
        for host in hosts {
            guard let until = states[host.name]?.pause(now: now) else { continue }
            self.init(reason: .host(host.name), until: until)
            return
        }
        return nil
    }

    /// Why a source is to be left alone now, if it is: what also a visit that the user asks for has to obey.
    public init?(of source: Source, in state: SourceState, hosts: [String: HostState], now: Date) {
        let pause = FetchRefusal(of: PlannedVisit(source, state).hosts, in: hosts, now: now)
        guard let refusal = pause ?? FetchRefusal(by: state.wishes(for: source), now: now) else { return nil }
        self = refusal
    }

    init?(by wishes: OriginWishes, now: Date) {
        guard let until = wishes.refusal(now: now) else { return nil }
        self.init(reason: .retryAfter, until: until)
    }

    /// Of who was asked moments ago.
    init?(after last: Date?, now: Date) {
        guard let last, last <= now else { return nil }
        let until = last.addingTimeInterval(Self.floor.timeInterval)
        guard until > now else { return nil }
        self.init(reason: .floor, until: until)
    }

    /// Who does not want it, in words: "set by …".
    public var words: String {
        switch reason {
        case .host(let name): "\(name), which asked for fewer requests"
        case .retryAfter: "the origin's Retry-After"
        case .floor: "the least time of \(Self.floor.words) between two visits"
        case .pace(let name): "the pace of \(name), to which it leads and which others are asking"
        }
    }

    /// Between two visits that the user asks for, or makes due by editing how a document is read.
    static let floor = Duration.seconds(600)
}
