import Testing

@testable import CrierHTTP

@Suite("The dialogue with a mail server")
struct MailDialogueTests {
    @Test("A password that reads as QUIT on the wire is no goodbye: the answer to it still counts")
    func passwordThatReadsAsGoodbye() {
        var dialogue = MailDialogue()
        dialogue.send("AUTH LOGIN\r\n")
        dialogue.receive("334 UGFzc3dvcmQ6\r\n")
        dialogue.send("QUIT\r\n")
        #expect(!dialogue.isOver)
        dialogue.receive("535 5.7.8 no such password\r\n")
        #expect(dialogue.status == 535)
    }

    @Test(
        "A mail is taken when the server says so of the message", arguments: [("250 taken", true), ("554 no", false)])
    func taken(answer: String, isTaken: Bool) {
        var dialogue = MailDialogue()
        dialogue.receive("220 hello\r\n")
        dialogue.send("DATA\r\n")
        dialogue.receive("354 go ahead\r\n")
        #expect(!dialogue.isTaken)
        dialogue.receive(answer + "\r\n")
        dialogue.send("QUIT\r\n")
        #expect(dialogue.isTaken == isTaken)
    }

    @Test(
        "Behind a message a server may speak of the recipient: that says nothing of the message",
        arguments: [
            ("552 5.2.2 mailbox full", false), ("550 5.1.1 no such user", false), ("521 5.2.1 shut", false),
            ("550 5.4.1 nobody there", false), ("554 5.7.1 spam", false), ("552 5.2.3 too long", true),
            ("552 5.3.4 too large", true), ("554 5.6.0 what a mail", true), ("554 no", true),
            ("552 Requested mail action aborted: exceeded storage allocation", false),
        ])
    func aboutMessage(answer: String, isAboutMessage: Bool) {
        var dialogue = MailDialogue()
        dialogue.send("DATA\r\n")
        dialogue.receive("354 go ahead\r\n")
        dialogue.receive(answer + "\r\n")
        #expect(dialogue.isAboutMessage == isAboutMessage)
    }

    @Test("What a server says to the goodbye is nothing about the mail")
    func goodbye() {
        var dialogue = MailDialogue()
        dialogue.send("MAIL FROM:<a@example.org>\r\n")
        dialogue.receive("530 5.7.0 authenticate first\r\n")
        dialogue.send("QUIT\r\n")
        dialogue.receive("221 bye\r\n")
        #expect(dialogue.isOver && dialogue.status == 530)
    }
}
