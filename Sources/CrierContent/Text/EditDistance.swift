/// How many insertions, removals, replacements and swaps of neighbours turn one word into the other
/// (optimal string alignment).
package func editDistance<Letter: Equatable>(_ one: [Letter], _ other: [Letter]) -> Int {
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
