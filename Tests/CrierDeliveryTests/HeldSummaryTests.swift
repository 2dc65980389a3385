import CrierNotifications
import CrierTesting
import Foundation
import Testing

@testable import CrierDelivery
@testable import CrierStore

/// What one notification tells of many that waited.
@Suite struct HeldSummaryTests {
    private let noon = Date(timeIntervalSince1970: 1_800_000_000)

    private func request(_ source: String, _ number: Int, items: Int = 1) -> NotificationRequest {
        let told = (1...items).map { item in
            UserInfoValue.object(["title": .string("\(source) \(number).\(item)")])
        }
        return NotificationRequest(
            identifier: "\(source)/\(number)",
            content: NotificationContent(
                title: "\(source) \(number)", threadIdentifier: source, userInfo: ["items": .array(told)]))
    }

    private func summary(of newest: [NotificationRequest]) -> NotificationContent {
        let waiting = WaitingNotifications(
            sink: "a", haveWaited: true, count: newest.count, newest: newest)
        return HeldSummary.request(for: waiting, at: noon).content
    }

    private func members(_ content: NotificationContent) -> [[String: UserInfoValue]] {
        guard case .array(let items)? = content.userInfo["items"] else { return [] }
        return items.map { if case .object(let members) = $0 { members } else { [:] } }
    }

    @Test func aBusySourceDoesNotHideARareOne() {
        let busy = (1...14).map { request("busy", $0, items: 15) }
        let content = summary(of: busy + [request("rare", 1)])
        #expect(content.body.split(separator: "\n").prefix(3) == ["• busy 1", "• rare 1", "• busy 2"])
        let titles = members(content).map { $0["title"] }
        #expect(titles.prefix(2) == [.string("busy 1.1"), .string("rare 1.1")])
        #expect(titles.count == ToldItems.most)
        #expect(ToldItems(of: content).omitted == 14 * 15 + 1 - ToldItems.most)
        #expect(Set(titles.prefix(15)).count == 15)
        #expect(titles[15] == .string("busy 1.2"))
    }

    @Test func whatIsUrgentIsNamedHoweverManyAreNewerOrMoreRelevant() {
        var urgent = request("watch", 1).content
        urgent.interruptionLevel = .critical
        var relevant = request("daily", 1).content
        relevant.relevanceScore = 1
        let content = summary(
            of: (1...30).map { request("busy", $0) } + [
                NotificationRequest(identifier: "daily/1", content: relevant),
                NotificationRequest(identifier: "watch/1", content: urgent),
            ])
        #expect(content.body.split(separator: "\n").prefix(3) == ["• watch 1", "• daily 1", "• busy 1"])
        #expect(content.interruptionLevel == .critical)
    }

    @Test func whatItDoesNotNameIsCounted() throws {
        var content = request("rare", 1).content
        content.userInfo = summary(of: (1...70).map { request("busy", $0) }).userInfo
        let rare = NotificationRequest(identifier: "rare/1", content: content)
        let waiting = WaitingNotifications(
            sink: "a", haveWaited: true, count: 9, newest: [rare, request("busy", 71)])
        let told = ToldItems(of: HeldSummary.request(for: waiting, at: noon).content)
        // Twenty of the earlier summary, one of these two, and seven that wait besides.
        #expect(told.values.count == 50)
        #expect(told.omitted == 20 + 1 + 7)
    }

    /// What a program says of its own notifications.
    @Test func anyNumberThatItIsToldCanBeCounted() throws {
        let requests = (1...12).map { number in
            var content = request("busy", number, items: 3).content
            content.userInfo["omittedItems"] = .number(number == 12 ? -1 : 9e18)
            return NotificationRequest(identifier: "busy/\(number)", content: content)
        }
        let told = ToldItems(of: summary(of: requests))
        #expect(told.omitted >= 1_000_000_000)
        let long = (1...2000).map { UserInfoValue.string(String(repeating: "\($0) ", count: 100)) }
        var content = requests[0].content
        content.userInfo["items"] = .array(long)
        let attempt = DeliveryAttempt(
            request: NotificationRequest(identifier: "busy/1", content: content), revision: 0, created: noon)
        let body = try #require(WebhookPayload.plain(attempt))
        let sent = try #require(try JSONSerialization.jsonObject(with: Data(body)) as? [String: Any])
        #expect(try #require(sent["omittedItems"] as? Int) > 1_000_000_000)
        #expect(ToldItems([.null], omitted: .max).omitted == 1_000_000_000)
    }
}
