import Synchronization

/// Sources that are visited one after another by one task, by their indices.
final class FetchLane: Sendable {
    private let rest: Mutex<ArraySlice<Int>>

    private init(_ sources: [Int]) {
        rest = Mutex(sources[...])
    }

    /// Any task may take it.
    func next() -> Int? { rest.withLock { $0.popFirst() } }

    /// Sources of one host follow one another, in as many lanes as its pace allows. Those of unpaced hosts are taken in turn
    /// by a few tasks, which are in the list as the same lane: a task for each would take more time than a visit does.
    ///
    /// - Parameters:
    ///   - hosts: That of each source.
    ///   - free: How many tasks unpaced sources are worth.
    static func lanes(on hosts: [HostKey], at paces: HostPaces, free: Int) -> [FetchLane] {
        var unpaced: [Int] = []
        var lanes: [[Int]] = []
        var lanesOfHost: [HostKey: [Int]] = [:]
        var counts: [HostKey: Int] = [:]
        for (source, host) in hosts.enumerated() {
            guard let parallel = paces.pace(of: host)?.parallel else {
                unpaced.append(source)
                continue
            }
            let count = counts[host, default: 0]
            counts[host] = count + 1
            if count < parallel {
                lanesOfHost[host, default: []].append(lanes.count)
                lanes.append([source])
            } else if let own = lanesOfHost[host] {
                lanes[own[count % own.count]].append(source)
            }
        }
        let shared = Array(repeating: FetchLane(unpaced), count: min(free, unpaced.count))
        return shared + lanes.map { FetchLane($0) }
    }
}
