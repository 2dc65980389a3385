import CrierContent

/// The candidate that `text` is most likely meant to be; nil if none is close.
package func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
    let length = text.count
    guard length <= 64 else { return nil }
    let letters = Array(text.lowercased())
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where abs(candidate.count - length) <= 3 {
        let distance = editDistance(letters, Array(candidate.lowercased()))
        guard distance <= max(1, min(length, candidate.count) / 3), distance < best?.distance ?? .max else { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}
