import ArgumentParser
import CrierAgent
import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation

/// The user's files, as a command line names them or leaves them to be found.
protocol CommandFiles {
    /// The configuration's path; nil where the command line names none.
    var config: String? { get }
    /// The state's path; nil where the command line names none.
    var state: String? { get }
}

extension CommandFiles {
    func configPath() throws -> String {
        guard let path = ConfigurationPaths.configuration(option: config, environment: GlobalOptions.environment) else {
            throw failure("no home folder: say where the configuration is with --config", ExitStatus.noInput)
        }
        return path
    }

    /// Nil where nothing names one and there is no home folder.
    var knownStatePath: String? {
        ConfigurationPaths.state(option: state, environment: GlobalOptions.environment)
    }

    func statePath() throws -> String {
        guard let path = knownStatePath else {
            throw failure("no home folder: say where the state is with --state", ExitStatus.noInput)
        }
        return path
    }

    /// The bytes of the configuration file.
    func configBytes() throws -> [UInt8] {
        let path = try configPath()
        guard let bytes = try ConfigurationText.bytes(path) else {
            throw failure("no configuration at \(path.shown); `crier add URL` makes one", ExitStatus.noInput)
        }
        return bytes
    }

    /// The configuration, as far as it can be used: problems are told on standard error.
    ///
    /// - Parameter validating: Whether to compile every expression, which costs tens of milliseconds each.
    func loadConfiguration(validating: Bool = false) throws -> (
        configuration: Configuration, problems: [ConfigurationProblem]
    ) {
        let validator: ExpressionValidator? = validating ? { Expressions.complaint($0, $1) } : nil
        // The machine's zone is looked up when somebody asks for it: most fetches never do. A command does not outlive it.
        let result = Configuration.load(
            bytes: try configBytes(), file: try configPath(), machineTimeZone: nil,
            language: Digest.Language(environment: GlobalOptions.environment), validateExpression: validator)
        for problem in result.problems { Terminal.note(problem.description) }
        guard let configuration = result.configuration else { throw ExitStatus.badConfiguration }
        return (configuration, result.problems)
    }

    /// The state, to be read or changed by a single transaction.
    func openStore() throws -> Store {
        let path = try statePath()
        tellLoss(of: path)
        return try storeErrors { () throws(StoreError) in try Store(path: path) }
    }

    /// The state, if there is any yet.
    func existingStore() throws -> Store? {
        let path = try statePath()
        tellLoss(of: path)
        return try storeErrors { () throws(StoreError) in try Store.existing(path: path) }
    }

    /// The same, only to be looked at: of a backup that may only be read, or on a disk that has no room or takes nothing, a copy in
    /// memory.
    func storeToLookAt() throws -> Store? {
        let path = try statePath()
        tellLoss(of: path)
        return try storeErrors { () throws(StoreError) in
            do throws(StoreError) { return try Store.existing(path: path) } catch {
                guard [.readOnly, .diskFull].contains(error.kind) else { throw error }
                if Store.mayBeReadAlone(path) { return try Store.copy(ofFileAt: path) }
                guard Store.isAtRest(path) else { throw error }
                return try Store.copy(ofFileAt: path, isAtRest: true)
            }
        }
    }

    /// The same as the next run will find it: sources that are called otherwise by now have their new names.
    func foreseenStore(of configuration: Configuration) throws -> Store? {
        guard let store = try storeToLookAt() else { return nil }
        return try storeErrors { () throws(StoreError) in try configuration.foreseen(store, at: SystemClock().now) }
    }

    /// What somebody who waits asks origins with, and who is known from visits before to want to be left alone; nil where nothing
    /// is remembered.
    ///
    /// - Parameter makesState: Whether hosts are remembered also where nothing is yet.
    func considerateTransport(
        makesState: Bool = false
    ) throws -> (transport: ConsiderateTransport, refusals: KnownRefusals?) {
        let configuration = readableConfiguration
        // Where it cannot be made, nobody is kept from asking, and whoever only looks not by a state that may only be read either.
        let store = makesState ? try existingStore() ?? (try? Store(path: statePath())) : try storeToLookAt()
        let foreseen = if let configuration { try foreseenStore(of: configuration) } else { store }
        let sources = configuration.map { $0.sources + $0.disabledSources } ?? []
        let paces = HostPaces(named: configuration?.hosts ?? [:])
        let refusals = try storeErrors {
            try foreseen.map { try KnownRefusals(of: sources, in: $0, now: SystemClock().now) }
        }
        let transport = try storeErrors {
            try ConsiderateTransport(
                base: Surroundings().transport, refusals: refusals, paces: paces, store: store, clock: SystemClock())
        }
        return (transport, refusals)
    }

    /// See ``Store/startAfresh(_:beside:forgetting:at:)``.
    func startAfresh(_ addresses: [String], beside names: Set<String>, forgetting: Bool = false) throws {
        guard let store = try existingStore() else { return }
        try storeErrors {
            try store.startAfresh(addresses, beside: names, forgetting: forgetting, at: SystemClock().now)
        }
    }

    /// Nil where there is none yet, or it cannot be used: that is told by what needs it.
    var readableConfiguration: Configuration? {
        guard let path = ConfigurationPaths.configuration(option: config, environment: GlobalOptions.environment),
            let bytes = try? ConfigurationFile(path: path).read()
        else { return nil }
        return Configuration.load(bytes: bytes, file: path, machineTimeZone: nil).configuration
    }

    /// Says when something comes, and what keeps it from being raised then: the user's word, or that it is quiet.
    ///
    /// - Parameter verb: Before the moment, such as `comes`.
    func promise(_ subject: String, _ verb: String, _ moment: String, in store: Store?) throws -> String {
        let what = "\(subject) \(verb)"
        switch try storeErrors({ try store?.notificationSettings().authorizationStatus }) {
        case .denied:
            let remedy = "notifications are denied, `crier authorize` changes that"
            return "\(subject) will be recorded and not raised: \(remedy)."
        case .notDetermined: return "\(what) \(moment), to wait for your permission: run `crier authorize`."
        case .authorized, nil: break
        }
        let hours = readableConfiguration?.quietHours ?? QuietHours()
        let now = SystemClock().now
        let quiet = try storeErrors { try store.flatMap { try Quiet($0, hours, at: now) } }
        guard let quiet else { return "\(what) \(moment)." }
        let words = Overview.quietWords(until: quiet.end, mutedUntil: quiet.mutedUntil).joined(separator: " ")
        return "\(words) \(what) when that is over, the urgent of it \(moment)."
    }
}

extension KnownRefusals {
    /// Ends the command where a source is to be left alone.
    ///
    /// - Parameters:
    ///   - name: What the user calls it: by its name, or its address.
    ///   - state: What is remembered of a source of the configuration.
    func obey(for source: Source, called name: String, remembered state: SourceState? = nil) throws {
        guard let refusal = refusal(of: source, in: state ?? SourceState(name: source.name)) else { return }
        let words = notVisited(until: refusal.until, setBy: refusal.words)
        throw failure("\(URLCredentials.removed(from: name).shown): \(words)", ExitStatus.unavailable)
    }
}

/// The sources that a command line names; all where it names none. Those with a mistake are told and left out.
///
/// - Parameter problems: Of the configuration, told already: a source that has one is not unknown.
func chosenSources(
    _ names: [String], of configuration: Configuration, problems: [ConfigurationProblem]
) throws -> [Source] {
    let broken = Set(problems.compactMap(\.source))
    for name in names where broken.contains(name) {
        Terminal.error("\(name.shown) is left out because of its mistake in the configuration")
    }
    let sound = names.filter { !broken.contains($0) }
    if sound.isEmpty, !names.isEmpty { throw ExitStatus.badConfiguration }
    do { return try configuration.sources(named: sound) } catch { throw failure(error.description, ExitStatus.usage) }
}

/// Wakes the agent, and tells when what waits is raised: an agent does it, be it told or not, a run before it ends, and what else is at
/// work on the state does not.
func momentOfDelivery(from statePath: String) async -> String {
    if await AgentClient.wake(statePath) { return "now" }
    guard let holder = RunLock.holder(statePath: statePath), !holder.isStopped else {
        return "with the next `crier fetch`"
    }
    return "with the agent or run at work (process \(holder.process)), or else with the next `crier fetch`"
}
