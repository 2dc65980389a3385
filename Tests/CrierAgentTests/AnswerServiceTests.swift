import Testing

@testable import CrierAgent

@Suite struct AnswerServiceTests {
    @Test(arguments: [(0, 4), (32, 4), (64, 8), (256, 32), (1024, 64), (UInt64.max, 64)])
    func howManyMayBeConnectedLeavesFilesForWhatIsFetched(files: UInt64, connections: Int) {
        #expect(AnswerService.mostConnections(files: files) == connections)
    }
}
