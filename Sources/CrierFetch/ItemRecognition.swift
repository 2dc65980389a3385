import CrierContent
import CrierStore

/// Which items of a document its source has had before, whatever they are called.
struct ItemRecognition {
    var known = KnownItems()
    /// Whether no identifier is known.
    var isNoneKnown = true
    /// Whether nothing is known by what else tells an item either.
    var isNoneRenamed = true
    /// Whether the document has another address than what is remembered.
    var isElsewhere = false
    /// After a change of address or mapping; nil where nothing was met.
    var met: ItemsMetBefore?
}

extension ContentFetcher {
    /// - Parameters:
    ///   - url: Where the document was found, after redirects.
    ///   - findings: Gets to know what is odd, and whether the source starts anew.
    func recognize(
        _ content: DecodedContent, _ reading: Reading, at url: String?, of source: Source, _ state: SourceState,
        _ findings: inout Findings
    ) throws(StoreError) -> ItemRecognition {
        var recognition = ItemRecognition()
        if !findings.isBaseline {
            recognition.known = try known(
                content.items, formerly: reading.formerIdentifiers, of: source, findings.contentHashes, findings.now)
            recognition.isNoneKnown = recognition.known.identifiers.isEmpty
            let renamed = try renamedItems(of: content, in: source, state, recognition.known)
            for item in renamed { recognition.known.insert(item.identifier) }
            if !renamed.isEmpty { findings.remarks.append(Findings.renamed(renamed.count)) }
        }
        recognition.isNoneRenamed = recognition.known.identifiers.isEmpty
        recognition.isElsewhere = state.wasLearned(elsewhereThan: url)
        findings.mayStartAnew = state.mayBeOthers(than: content, at: url, of: source, findings.now)
        if recognition.isElsewhere, recognition.known.areOthers, !content.items.isEmpty {
            findings.startAnew()
            recognition.known = KnownItems()
        }
        if recognition.isNoneKnown || !findings.startsAnew {
            let known = recognition.isNoneKnown ? [] : recognition.known.identifiers
            let met = try itemsMetBefore(in: content, recognition.isElsewhere, of: source, state, beside: known)
            for identifier in met?.identifiers ?? [] { recognition.known.insert(identifier) }
            recognition.met = met
        }
        // At another address, of which nothing is known, it may be another feed, whose items of before are none that were missed.
        let isKnown = !recognition.isNoneKnown && !findings.startsAnew
        let maySay = !recognition.isElsewhere || isKnown || recognition.met != nil
        if state.fingerprint == nil, state.emptySince != nil, maySay {
            findings.lastItems = try store.lastSighting(of: source.name)
        }
        return recognition
    }
}
