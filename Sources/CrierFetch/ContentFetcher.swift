import CrierContent
import CrierHTTP
import CrierNotifications
import CrierStore
import Foundation

/// What a fetch is for.
public enum FetchPurpose: Sendable, Hashable {
    /// To remember and to notify.
    case commit
    /// To say what would be raised; nothing is written but that an origin wants to be left alone.
    case dryRun
    /// To read the document whatever is remembered of it; nothing is written.
    case trial
}

/// One fetch of one source, from the conditional request to the one transaction.
public final class ContentFetcher: Sendable {
    let store: Store
    let origin: OriginVisit
    /// Where visits are made; nil: on whatever thread their task is.
    let lane: (any TaskExecutor)?
    let aside: Aside
    let clock: any WallClock
    /// Fresh randomness, 0..<1, for when to come again.
    let random: @Sendable () -> Double
    let hosts: HostPaces
    /// For one visit to an origin; nil: the limits of the request alone.
    let budget: Duration?
    let own: OwnNotices
    /// Where it is written down what is being read; nil: nowhere.
    package let readings: ReadingMarks?
    /// Compiled once each, however many sources use them.
    let programs = JQPrograms()

    /// - Parameters:
    ///   - userAgent: The `User-Agent` field, such as `crier/1.0 (+https://example.org)`.
    ///   - environment: Where the secrets of sources may be found.
    ///   - budget: For one visit to an origin, with the secrets it needs; nil: the limits of the request alone.
    ///   - own: What it raises of sources, beside what is new.
    ///   - readings: That of the ``RunLock``: a document that ends the process is then left alone for a while, see
    ///     ``settleUnfinished(among:)``.
    public init(
        store: Store, transport: any HTTPTransport, clock: any WallClock, userAgent: String,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        hosts: HostPaces = HostPaces(), budget: Duration? = nil, own: OwnNotices = .conditions,
        readings: ReadingMarks? = nil,
        random: @escaping @Sendable () -> Double = { Double.random(in: 0..<1) }
    ) {
        self.store = store
        lane = transport.lane
        aside = Aside(lane)
        self.clock = clock
        self.random = random
        self.hosts = hosts
        self.budget = budget
        self.own = own
        self.readings = readings
        origin = OriginVisit(transport: transport, clock: clock, userAgent: userAgent, environment: environment)
    }

    /// Visits the source, decides what is new, and writes validators, items, the next-fetch date and the outbox in one transaction.
    ///
    /// It is one visit, at once, whatever is remembered of the origin's wishes: schedule, pauses (`Retry-After`), the pace of hosts and
    /// the least time between two visits are ``FetchScheduler``'s, which is the polite way to fetch, once too.
    ///
    /// A failure of the origin or its document is a report, not an error. One that the machine's own network may
    /// have caused (``FetchReport/suspectsNetwork``) is not yet written down: see ``settle(_:of:networkIsDown:)``.
    ///
    /// Where another visit of the source is written first, this one leaves nothing behind (``FetchReport/isOvertaken``).
    ///
    /// Cancelled before the answer is there, it throws nothing: the report says that the fetch failed, and nothing is written.
    ///
    /// - Parameter trigger: What led to it, for the log.
    /// - Throws: ``StoreError`` where the state cannot be read or written, or its file was removed or replaced; of the kind
    ///   ``StoreError/Kind/invalidRequest`` where the name of the source, or one that it gives for a sink or digest, holds a NUL.
    public func fetch(
        _ source: Source, purpose: FetchPurpose = .commit, trigger: FetchTrigger = .schedule
    ) async throws(StoreError) -> FetchReport {
        try source.checkNames()
        return try await QuietLane.whereNoneIsChosen { () async throws(StoreError) in
            try store.checkPlace()
            let planned = PlannedVisit(source, try store.state(of: source.name))
            let visit = try await fetch(planned, purpose: purpose, trigger: trigger, turn: nil)
            guard let entry = visit.entry else { return visit.report }
            return visit.report(isOvertaken: try await !write(entry))
        }
    }

    /// - Parameter turn: At the source's host; gets to know how hosts have answered.
    func fetch(
        _ planned: PlannedVisit, purpose: FetchPurpose, trigger: FetchTrigger, turn: HostTurn?
    ) async throws(StoreError) -> FinishedVisit {
        var report = FetchReport(source: planned.source.name, result: .noData)
        report.purpose = purpose
        report.visit = FetchVisit(trigger: trigger, begun: clock.now)
        do {
            let entry = try await visit(planned, purpose, turn, &report)
            return FinishedVisit(consume report, entry, turn)
        } catch let error as StoreError {
            throw error
        } catch {
            return try await conclude(SourceFailure(error, after: report), planned, purpose, turn, report)
        }
    }

    /// How long a source is left alone whose visit the transport has ended, in seconds.
    private static let pauseWhereCancelled = 60.0

    /// What comes of a failure.
    @inline(never)
    private func conclude(
        _ failure: SourceFailure, _ planned: PlannedVisit, _ purpose: FetchPurpose, _ turn: HostTurn?,
        _ report: consuming FetchReport
    ) async throws(StoreError) -> FinishedVisit {
        let now = clock.now
        report.visit?.end(at: now)
        report.fail(failure)
        let host = turn?.pacer.note(report, of: planned.source, now: now)
        // A transport that was shut down would end the next visit as soon.
        if failure.isCancelled {
            report.nextFetch = now.addingTimeInterval(Self.pauseWhereCancelled)
        } else if purpose != .commit {
            // A loop goes by that where nothing is written, too.
            var state = state(of: planned, purpose)
            state.failures += 1
            report.nextFetch = next(after: failure, of: planned.source, state, now: now).date
        }
        // What a signal or a transport cut short says nothing about the source, nor does a redirect that is not followed now.
        let isCutShort = Task.isCancelled || failure.isCancelled
        guard purpose != .trial, !failure.suspectsNetwork, !isCutShort, turn?.refusal == nil else {
            return FinishedVisit(report, nil, turn)
        }
        if purpose == .dryRun {
            await noteRefusal(failure, of: planned.source, by: host)
            return FinishedVisit(report, nil, turn)
        }
        // Before the state is looked at.
        turn?.end()
        let commit = try await commit(after: failure, of: planned.source, pausing: host, in: &report)
        return FinishedVisit(report, CommitEntry(commit), turn)
    }

    /// Asks the origin, and decides what comes of its answer.
    ///
    /// What it calls between its pauses is not inlined: the task would keep place for all that such a function has, 13 KB more for
    /// each visit under way, while the thread's stack is there already.
    private func visit(
        _ planned: PlannedVisit, _ purpose: FetchPurpose, _ turn: HostTurn?, _ report: inout FetchReport
    ) async throws -> CommitEntry? {
        let answer = try await ask(planned.source, question(for: planned, purpose), turn)
        CrashPoint.reached(.requestAfter)
        report.status = answer.status
        report.url = answer.url
        report.visit?.bytes = answer.document?.body.count ?? 0
        guard answer.document != nil || planned.upcoming != nil else {
            return try conclude(answer, planned, purpose, turn, &report)
        }
        // What is read, away from the lane, and where that may wait for jq programs, on a thread that may.
        let source = planned.source
        let executor: (any TaskExecutor)? =
            source.runsPrograms ? PatientExecutor() : aside.executor(reading: answer.document, by: source.mapping)
        return try await withTaskExecutorPreference(executor) { () async throws in
            // It may have waited for others.
            if Task.isCancelled { throw CancellationError() }
            guard let readings, purpose == .commit else { return try conclude(answer, planned, purpose, turn, &report) }
            return try readings.during(source.name) {
                CrashPoint.reached(.readingInside)
                return try conclude(answer, planned, purpose, turn, &report)
            }
        }
    }

    /// What the visit begins with.
    private func state(of planned: PlannedVisit, _ purpose: FetchPurpose) -> SourceState {
        var state = planned.start
        state.becomeValid(for: planned.source)
        if purpose == .trial { state.forgetDocument() }
        return state
    }

    @inline(never)
    private func question(for planned: PlannedVisit, _ purpose: FetchPurpose) -> OriginQuestion {
        let state = state(of: planned, purpose)
        let now = clock.now
        return OriginQuestion(
            adopted: state.move?.adopted,
            validators: state.wantsWhole(at: now) ? HTTPValidators() : state.validators,
            unmarksTag: state.wishes.wantsUnmarkedTag == true, givenBy: state.lastURL,
            hasWaited: state.hasWaitedForRedirect(at: now))
    }

    /// On a thread of its own where a file is read, as it may lie on a disk that does not answer.
    private func ask(
        _ source: Source, _ question: OriginQuestion, _ turn: HostTurn?
    ) async throws(SourceFailure) -> OriginAnswer {
        guard source.isOfThisMachine else { return try await visitOrigin(of: source, question, turn) }
        return try await withTaskExecutorPreference(aside.patientExecutor) { () async throws(SourceFailure) in
            try await visitOrigin(of: source, question, turn)
        }
    }

    /// What comes of an answer; nil where nothing is to be written.
    @inline(never)
    private func conclude(
        _ answer: OriginAnswer, _ planned: PlannedVisit, _ purpose: FetchPurpose, _ turn: HostTurn?,
        _ report: inout FetchReport
    ) throws -> CommitEntry? {
        let source = planned.source
        let state = state(of: planned, purpose)
        var (reading, findings) = try understand(answer, of: source, state)
        if purpose == .trial { try findings.judgeKnown(by: source.rules, programs: programs) }
        var composition = NotificationComposer(source: source).compose(findings)
        if source.isUnique { composition.commonAddresses = reading.content?.commonAddresses ?? [] }
        var commit = commit(after: answer, reading, findings, composition, of: source, consume state)
        if findings.mayStartAnew { commit.state.keepOrigin(of: planned.start) }
        let told = purpose == .commit ? [:] : try store.toldByOthers(commit)
        report.tell(reading, findings, composition, toldByOthers: told)
        let entry = entry(of: consume commit, after: planned, turn, &report)
        return purpose == .commit ? entry : nil
    }

    private func entry(
        of commit: consuming FetchCommit, after planned: PlannedVisit, _ turn: HostTurn?, _ report: inout FetchReport
    ) -> CommitEntry {
        let now = clock.now
        report.visit?.end(at: now)
        commit.compare(with: planned.before)
        commit.visit = report.visit
        commit.host = turn?.pacer.note(report, of: planned.source, now: now)
        report.nextFetch = commit.state.nextFetch
        report.nextFetchReason = commit.state.nextFetchReason
        report.requests = commit.requests.map(\.request)
        return CommitEntry(consume commit)
    }

    /// Writes down a failure that the machine's own network may have caused (``FetchReport/suspectsNetwork``), now that it is
    /// known whether it did. Any other is left alone, as it was written by the fetch; one of a ``FetchPurpose/dryRun`` or a
    /// ``FetchPurpose/trial`` is never written.
    ///
    /// - Throws: ``StoreError`` where the state cannot be read or written; the report is still to be settled then.
    public func settle(_ report: inout FetchReport, of source: Source, networkIsDown: Bool) async throws(StoreError) {
        guard report.suspectsNetwork else { return }
        if !networkIsDown, report.purpose == .commit, let failure = report.failure {
            let failed = SourceFailure(
                stage: failure.stage, cause: failure.cause, url: report.url, suspectsNetwork: true)
            let commit = try await commit(after: failed, of: source, in: &report)
            if try await !write(CommitEntry(commit)) { report.becomeOvertaken() }
        }
        report.networkIsDown = networkIsDown
        report.suspectsNetwork = false
    }

    /// False where another visit of the source was written since it was looked at.
    func write(_ entry: CommitEntry) async throws(StoreError) -> Bool {
        guard let failure = await aside.commit([entry], in: store)[0] else { return true }
        if failure.kind == .overtaken { return false }
        throw failure
    }

    // MARK: - Reading

    /// What is said of the document may repeat words of it.
    private func understand(
        _ answer: OriginAnswer, of source: Source, _ state: SourceState
    ) throws -> (reading: Reading, findings: Findings) {
        do {
            var reading = try read(answer, of: source, state)
            var findings = try findings(in: &reading, after: answer, of: source, state)
            answer.secrets.hide(in: &findings.remarks)
            return (reading, findings)
        } catch let error as ContentError {
            let cause = answer.secrets.hidden(in: error.description)
            if answer.mayBeOfNetwork(in: source, adopted: state.move?.adopted) {
                throw SourceFailure(
                    stage: .decode, cause: cause, url: answer.url, suspectsNetwork: true, meetsSomebody: true)
            }
            throw ContentError(error.kind, cause)
        }
    }

    /// Nil content is content that has not changed.
    private func read(_ answer: OriginAnswer, of source: Source, _ state: SourceState) throws(ContentError) -> Reading {
        guard let document = answer.document else { return Reading(content: nil, hash: state.bodyHash) }
        let hash = Fingerprint.ofBody(document.body)
        if state.knows(hash) { return Reading(content: nil, hash: state.bodyHash) }
        var content = try ContentDecoder(mapping: source.mapping, programs: programs).decode(document)
        answer.secrets.hide(in: &content.remarks)
        content.hints.newAddress = content.hints.newAddress.map(answer.secrets.shown)
        // A list whose entries have other names now is no empty one.
        if content.format == .json, content.items.isEmpty, content.namesNothing {
            throw ContentError(.badExpression, content.remarks.joined(separator: "; "))
        }
        let former = try formerIdentifiers(document, of: source, state)
        guard content.isCut else { return Reading(content: content, formerIdentifiers: former, hash: hash) }
        // Half an item cannot be called back, and what is missing must not hide behind a 304 or an equal body.
        let ending = content.mayEndSo || content.endsBehindTag ? Fingerprint.ofEnding(document.body) : nil
        if let ending, state.knows(ending: ending) {
            // A feed may have been cut off twice at the same place, with the validators of the whole.
            content.mayEndSo ? content.becomeWhole() : content.becomeUsual()
            return Reading(content: content, formerIdentifiers: former, hash: hash + ending)
        }
        // What is only learned is not told, and half a page that is read for the first time may well be a whole one.
        let isKept = content.mayEndSo && state.lastSucceeded == nil
        if content.endsInItem, !isKept { content.items.removeLast(min(1, content.items.count)) }
        return Reading(content: content, formerIdentifiers: former, hash: ending.map { Fingerprint.noBody + $0 })
    }

    private func findings(
        in reading: inout Reading, after answer: OriginAnswer, of source: Source, _ state: SourceState
    ) throws -> Findings {
        let now = clock.now
        var faults: [String: String] = [:]
        if state.lastSucceeded != nil { try settleIdentifiers(of: &reading.content, in: source, state) }
        let held = try heldItems(of: source, state, in: reading.content, now)
        let due = try wanted(held.due, of: source, &faults)
        var findings = Findings(of: due, among: held, reading, at: answer.url, state, now)
        guard let content = reading.content else {
            try findings.apply(source.rules, programs: programs, faults: faults)
            return findings
        }
        if source.updates != .ignore { findings.contentHashes = ItemUpdates.hashes(of: content.items) }
        let recognition = try recognize(content, reading, at: answer.url, of: source, state, &findings)
        let known = recognition.known
        findings.unchanged = known.unchanged
        findings.formerHashes = known.formerHashes
        var new = NewItems.among(content.items, known: known.identifiers, now: now)
        findings.remarks += try leaveOutKnown(
            among: &new, of: content, recognition, findings, after: answer, in: source, state)
        if !findings.startsAnew { new = try unheld(new, in: content.items, of: source, state) }
        findings.hasNews = !(due.isEmpty && new.isEmpty)
        findings.items = try wanted(NewItems.unique(content.items), of: source, &faults)
        let untold = LeftOutItems(besides: new, known.leftOut, in: content.items, of: source, state, now)
        (new, findings.wasLeftOut) = (untold.items, untold.old)
        if source.only != nil || source.skip != nil { new.keep(those: findings.items) }
        findings.new = due.isEmpty ? new : due + new
        // After a change of the mapping everything reads differently, and nothing has changed.
        if source.updates != .ignore, source.notify == .each, state.fingerprint != nil {
            findings.noteUpdates(of: known.contents, isFeed: content.format.isFeed)
        }
        try findings.apply(source.rules, programs: programs, faults: faults)
        findings.settle(untold, in: content.items)
        findings.lateDays = try lateDays(of: findings, in: source)
        return findings
    }

    /// Those that the source's `only` keeps and its `skip` does not; compiled when there is something to read, and not before.
    private func wanted(
        _ items: [ContentItem], of source: Source, _ faults: inout [String: String]
    ) throws(ContentError) -> [ContentItem] {
        var wanted = items
        for (program, isKept) in [(source.only, true), (source.skip, false)] {
            guard let program, !wanted.isEmpty else { continue }
            wanted = try JQFilter(program, programs: programs).items(wanted, areKept: isKept, faults: &faults)
        }
        return wanted
    }
}

extension [ContentItem] {
    fileprivate mutating func keep(those items: [ContentItem]) {
        let kept = Set(items.map(\.identifier))
        removeAll { !kept.contains($0.identifier) }
    }
}
