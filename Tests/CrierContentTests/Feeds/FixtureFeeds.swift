import CrierContent
import Foundation

/// The small feeds under `Fixtures/feeds`, one of each kind.
enum FixtureFeed: String, CaseIterable {
    case rss090 = "rss-0.90"
    case rss091 = "rss-0.91"
    case rss092 = "rss-0.92"
    case rss10 = "rss-1.0"
    case rss20 = "rss-2.0"
    case podcast, media
    case atom03 = "atom-0.3"
    case atom10 = "atom-1.0"
    case broken

    func bytes() throws -> [UInt8] {
        let folder = Bundle.module.bundleURL.appendingPathComponent("Fixtures/feeds")
        return [UInt8](try Data(contentsOf: folder.appendingPathComponent("\(rawValue).xml")))
    }

    func decoded() throws -> DecodedContent {
        try decodeFeed(bytes: bytes())
    }
}
