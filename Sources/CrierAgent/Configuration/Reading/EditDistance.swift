/// How many insertions, removals, replacements and swaps of neighbours turn one text into the other
/// (optimal string alignment).
func editDistance(_ one: String, _ other: String) -> Int {
    let one = Array(one.lowercased())
    let other = Array(other.lowercased())
    var older: [Int] = []
    var previous = Array(0...other.count)
    for i in one.indices {
        var row = [i + 1]
        for j in other.indices {
            var cost = min(previous[j + 1] + 1, row[j] + 1, previous[j] + (one[i] == other[j] ? 0 : 1))
            if i > 0, j > 0, one[i] == other[j - 1], one[i - 1] == other[j] {
                cost = min(cost, older[j - 1] + 1)
            }
            row.append(cost)
        }
        older = previous
        previous = row
    }
    return previous[other.count]
}

/// The candidate that `text` is most likely meant to be; nil if none is close.
package func nearest(to text: String, among candidates: some Sequence<String>) -> String? {
    let length = text.count
    guard length <= 64 else { return nil }
    var best: (distance: Int, candidate: String)?
    for candidate in candidates where abs(candidate.count - length) <= 3 {
        let distance = editDistance(text, candidate)
        guard distance <= max(1, min(length, candidate.count) / 3), distance < best?.distance ?? .max else { continue }
        best = (distance, candidate)
    }
    return best?.candidate
}
