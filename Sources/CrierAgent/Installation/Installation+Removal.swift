import Foundation

extension Installation {
    /// What it takes to leave nothing of some ways, as far as that is possible.
    ///
    /// - Parameters:
    ///   - digest: The name of the one that is removed; nil removes the ways with all their digests.
    ///   - overwrites: Whether also what the user has changed is removed.
    /// - Returns: The steps, and what keeps the rest.
    public func steps(
        toRemove ways: [Way], digest: String? = nil, overwrites: Bool = false
    ) async -> (steps: [InstallationStep], troubles: [InstallationError]) {
        var (steps, troubles) = ([InstallationStep](), [InstallationError]())
        if let launchAgent {
            if ways.contains(.agent), digest == nil {
                do { steps += try self.steps(toRemove: launchAgent, overwrites) } catch { troubles.append(error) }
            }
        } else {
            let groups = [Way.agent, .timer].filter(ways.contains).flatMap { unitGroups(of: $0, digest: digest) }
            if ways != [.cron] { do { try await checkUnitFolder() } catch { troubles.append(error) } }
            for units in groups {
                do { steps += try self.steps(toRemove: units, overwrites) } catch {
                    if !troubles.contains(error) { troubles.append(error) }
                }
            }
            if !steps.isEmpty { steps.append(.run(["systemctl", "--user", "daemon-reload"], isNeeded: false)) }
        }
        if ways.contains(.cron) {
            do { steps += try await self.steps(toRemoveFromCron: digest, overwrites) } catch { troubles.append(error) }
        }
        return (steps, troubles)
    }

    private func steps(
        toRemove launchAgent: LaunchAgent, _ overwrites: Bool
    ) throws(InstallationError) -> [InstallationStep] {
        let path = launchAgent.path
        guard let text = try Self.text(at: path) else { return [] }
        if Seal.markup.verdict(on: text) != .intact, !overwrites { throw Self.changed(path) }
        return [.run(launchAgent.end, isNeeded: false), .remove(path)]
    }

    /// - Parameter units: Their names; the last is the one that is enabled. Those that the user has masked stay so.
    private func steps(toRemove units: [String], _ overwrites: Bool) throws(InstallationError) -> [InstallationStep] {
        var removals: [InstallationStep] = []
        for unit in units {
            let path = try path(of: unit)
            guard !Self.isMasked(path), let text = try Self.text(at: path) else { continue }
            if Seal.lines.verdict(on: text) != .intact, !overwrites { throw Self.changed(path) }
            removals.append(.remove(path))
        }
        guard let enabled = units.last else { return [] }
        removals += links(to: enabled).map { .remove($0) }
        if removals.isEmpty { return [] }
        if let stampFolder, enabled.hasSuffix(".timer") {
            let stamp = "\(stampFolder)/stamp-\(enabled)"
            if FileManager.default.fileExists(atPath: stamp) { removals.append(.remove(stamp)) }
        }
        return [.run(["systemctl", "--user", "disable", "--now", enabled], isNeeded: false)] + removals
    }

    private func steps(
        toRemoveFromCron digest: String?, _ overwrites: Bool
    ) async throws(InstallationError) -> [InstallationStep] {
        guard crontab.isPossible else { return [] }
        let text = try await crontab.text()
        guard let block = try CrontabBlock(in: text) else { return [] }
        let kept = digest.map { digest in block.lines.filter { !InstalledDigest.isCronLine($0, of: digest) } } ?? []
        if kept == block.lines { return [] }
        if !block.isIntact, !overwrites { throw Self.changed("the lines of crier in your crontab") }
        let new = kept.isEmpty ? block.removed(from: text) : CrontabBlock(lines: kept).placed(in: text, instead: block)
        let removed = block.lines.filter { !kept.contains($0) }.joined(separator: "; ")
        let words =
            digest == nil ? "the lines of crier from your crontab" : "from your crontab: \(removed)"
        return [.crontab(new, adds: false, saying: words)]
    }

    /// What enabling a unit leaves.
    private func links(to unit: String) -> [String] {
        guard let unitFolder, let entries = try? FileManager.default.contentsOfDirectory(atPath: unitFolder) else {
            return []
        }
        return entries.filter { $0.hasSuffix(".wants") }.sorted().map { "\(unitFolder)/\($0)/\(unit)" }.filter {
            (try? FileManager.default.destinationOfSymbolicLink(atPath: $0)) != nil
        }
    }
}
