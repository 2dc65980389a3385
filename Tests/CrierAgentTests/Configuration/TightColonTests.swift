import Testing

@testable import CrierAgent

@Suite struct TightColonTests {
    @Test(arguments: [
        ("sources:\n  a:\n    url:https://e.example/\n", "3:5: sources.a"),
        ("sources:\n  a:\n    url:https://e.example/\n    every: 1h\n", "3:5"),
        ("sources:\n  a:\n    every: 1h\n    url:https://e.example/\n", "4:5"),
        ("sources:\n  a:\n    every: 1h\n    url:https://e.example/\n    first: all\n", "4:5"),
        ("sources:\n  a: {url:https://me:pw@e.example/, every: 1h}\n", "2:7: sources.a"),
        ("url:https://e.example/\nsources: {}\n", "1:1"), ("url:https://e.example/\n", "1:1"),
    ])
    func aKeyWithoutASpaceBehindItsColonIsToldAsThat(text: String, place: String) {
        #expect(problems(text) == ["\(place): no space behind the colon of \"url\"; expected url: VALUE"])
    }

    /// What is behind it may be secret.
    @Test func norIsMoreRepeatedOfAFieldOfARequest() {
        let said = problems("sources: {a: {url: 'https://e.example/', headers: {X-Key:hunter2}}}\n")
        #expect(said == ["1:52: sources.a.headers: no space behind the colon of \"X-Key\"; expected X-Key: VALUE"])
        func complaint(of header: String) -> [String] {
            problems("sources: {a: {url: 'https://e.example/', headers: {\(header)}}}\n")
        }
        #expect(
            complaint(of: "Schlüssel:hunter2") == [
                "1:52: sources.a.headers: \"Schlüssel\" is no name of an HTTP field; expected letters, digits and hyphens"
            ])
        for header in ["X Key:hunter2", "X hunter2", "X hunter2: hunter3"] {
            #expect(
                complaint(of: header) == [
                    """
                    1:52: sources.a.headers: a blank behind "X" in the name of an HTTP field; expected letters, digits \
                    and hyphens, then a colon
                    """
                ])
        }
    }

    @Test(arguments: [
        "sources: {a: {url: 'https://e.example/', title: url:x}}\n", "x-mine: url:x\n",
        "sources: {a: {command: [url:x]}}\n",
    ])
    func whatIsNoKeyMayBeginSo(text: String) {
        #expect(problems(text) == [])
    }
}
