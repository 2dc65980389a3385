import CrierContent
import CrierDelivery
import CrierHTTP
import CrierNotifications
import CrierProcess
import CrierStore
import Foundation
import Testing

@testable import CrierAgent
@testable import CrierFetch
@testable import CrierTesting

/// What Swift programs show of an error is its `localizedDescription`.
@Suite struct ErrorWordsTests {
    @Test func everyErrorSaysItsSentenceAlsoToFoundation() async throws {
        let folder = try TemporaryFolder()
        let configuration = Configuration(timeZone: .gmt)
        let secret = SecretReference.environment("CRIER_SECRET")
        let works: [@Sendable () async throws -> Void] = [
            { _ = try await CurlTransport().send(HTTPRequest(url: "ftp://a.example/")) },
            { throw MailError(.login, "the server does not know the user") },
            { throw ContentError(.notAFeed, "an image is no feed") },
            { _ = try Store(path: folder.path) },
            { throw FetchFailure(.decode, "not a feed") },
            { throw DiscoveryFailure("no feed") },
            { _ = try CalendarExpression("noon") },
            { _ = try await BoundedProgram([]).output(limit: .seconds(1), outputLimit: 1) },
            { _ = try await secret.resolve(environment: [:]) { _ in [] } },
            { _ = try NotificationTemplate("{{#title}}", escaping: .plain) },
            { throw WebCallProblem.secret("what follows whsec_ is not base64 in the secret") },
            { throw OriginError(description: "no port") },
            { _ = try configuration.sources(named: ["news"]) },
            { _ = try configuration.digest(named: "morning") },
            { _ = try BackgroundInterval.duration("soon") },
            { _ = try MuteEnd.date(["soon"], now: Date(timeIntervalSince1970: 0), timeZone: .gmt) },
            { _ = try ConfigurationFile(path: folder.file("crier.yaml")).read() },
            { _ = try ConfigurationEditor(text: "").removing(source: "news") },
            { throw ConfigurationProblem(file: "a.yaml", position: FilePosition(line: 1, column: 1), message: "no") },
            { throw InstallationError(.refused, "crier.timer was changed") },
            { throw AgentClient.Failure(description: "the agent has said nothing") },
            { throw Agent.Failure(description: "the state is gone") },
        ]
        for work in works {
            let error = try #require(await #expect(throws: (any Error).self) { try await work() })
            #expect(error.localizedDescription == "\(error)")
        }
    }
}
