import Testing

@testable import CrierDelivery

@Suite("Text that calls nobody by name, whatever service reads it")
struct NamelessTextTests {
    @Test(arguments: [
        ("@all", "@\u{200b}all"), ("win@everyone", "win@\u{200b}everyone"), ("win@HERE.", "win@\u{200b}HERE."),
        ("a@everyone.example", "a@\u{200b}everyone.example"), ("a@channel", "a@\u{200b}channel"),
        ("<@U123>", "<@\u{200b}U123>"), ("me@U123>", "me@\u{200b}U123>"), ("<!channel>", "<!\u{200b}channel>"),
        ("<!here|here>", "<!\u{200b}here|here>"), ("< !Everyone>", "< !\u{200b}Everyone>"),
        ("<!subteam^S1>", "<!\u{200b}subteam^S1>"), ("https://a.example/!here>", "https://a.example/%21here>"),
        ("https://win@everyone/@x", "https://win@\u{200b}everyone/%40x"),
        ("<at user_id=\"all\">all</at>", "<\u{200b}at user_id=\"all\">all</at>"),
        ("<AT id=all></AT>", "<\u{200b}AT id=all></AT>"),
        ("&lt;at user_id=all&gt;", "&lt;\u{200b}at user_id=all&gt;"), ("<users/all>", "<\u{200b}users/all>"),
    ])
    func called(text: String, nameless: String) {
        #expect(NamelessText.callingNobody(text) == nameless)
    }

    @Test(arguments: [
        "me@example.org", "first.last@news-desk.example.org, too", "<!-- no -->", "Fine! Here it is", "a <attic> <b>",
        "x<at",
        "https://me@a.example/#!/page", "https://chat.example/#!channel/42",
    ])
    func kept(text: String) {
        #expect(NamelessText.callingNobody(text) == text)
    }
}
