import CrierFetch
import CrierProcess
import Testing

@testable import CrierAgent

@Suite("What a source's requests say is read, and mistakes in it are told without secrets")
struct RequestOptionTests {
    private func source(_ options: String, url: String = "url: \"https://h/\"") -> String {
        "sources: {s: {\(url), \(options)}}"
    }

    @Test func everyOptionIsRead() throws {
        let text = """
            sources:
              s:
                url: https://h/
                headers: {Accept-Language: de, X-Number: 5, X-Key: {env: KEY}}
                auth: {user: me, password: {file: ~/p}}
                method: QUERY
                body: 'x'
                proxy: socks5h://127.0.0.1:9050
                ca-file: ~/ca.pem
              t: {url: "https://h/", auth: {bearer: {command: [pass, x]}}}
            """
        let sources = try configuration(text).sources
        #expect(
            sources.map(\.request) == [
                SourceRequest(
                    method: "QUERY", body: "x",
                    fields: [
                        .init("Accept-Language", .plain("de")), .init("X-Number", .plain("5")),
                        .init("X-Key", .secret(.environment("KEY"))),
                    ],
                    authorization: .basic(user: "me", password: .file("~/p")), proxy: "socks5h://127.0.0.1:9050",
                    caFile: "~/ca.pem"),
                SourceRequest(authorization: .bearer(.command(["pass", "x"]))),
            ])
    }

    @Test(
        "mistakes",
        arguments: [
            ("headers: {\"a b\": hunter2}", "sources.s.headers: a blank behind \"a\" in the name of an HTTP field"),
            ("headers: {A: \"hunter2\\nB: c\"}", "sources.s.headers: the value of \"A\" holds a line end"),
            (
                "headers: {A: {evn: hunter2}}",
                "sources.s.headers.A: unknown key; expected env, file, credential or command; did you mean \"env\"?"
            ),
            (
                "headers: {A: [hunter2]}",
                "sources.s.headers.A: a list where a single value should be; expected text or where"
            ),
            ("headers: {A: b, a: hunter2}", "sources.s.headers: \"a\" is given twice"),
            ("headers: {Content-Length: 5}", "sources.s.headers: \"Content-Length\" is Crier's own to send"),
            ("headers: {if-none-match: x}", "sources.s.headers: \"if-none-match\" is Crier's own to send"),
            ("auth: hunter2", "sources.s.auth: a single value where a mapping should be; expected {bearer: SECRET}"),
            ("auth: {bearer: hunter2}", "sources.s.auth.bearer: a secret does not stand in the configuration itself"),
            (
                "auth: {berer: {env: A}}",
                "sources.s.auth: unknown key; expected bearer, or user and password; did you mean \"bearer\"?"
            ),
            ("auth: {user: me}", "sources.s.auth: neither a token nor a user with a password"),
            ("auth: {user: \"me:hunter2\", password: {env: P}}", "sources.s.auth.user: the name holds a colon"),
            ("auth: {bearer: {env: A}, user: me, password: {env: P}}", "sources.s.auth: neither a token nor a user"),
            (
                "auth: {bearer: {env: A}}, headers: {authorization: hunter2}",
                "sources.s.auth: \"headers\" has an Authorization too"
            ),
            ("method: PSOT", "sources.s.method: \"PSOT\" is not known here; expected GET, POST"),
            ("method: GET, body: x", "sources.s.method: a GET request has no body; expected method: POST or no body"),
            ("proxy: \"htp://me:hunter2@h\"", "sources.s.proxy: \"htp\" is no scheme that is read here"),
            ("proxy: \"h:8080\"", "sources.s.proxy: the address has no scheme"),
            ("proxy: \"javascript:1\"", "sources.s.proxy: \"javascript\" is no scheme that is read here"),
            ("proxy: \"http://me:12/hunter2@h\"", "sources.s.proxy: the address has an @ behind its host"),
            ("proxy: \"socks5://me:?hunter2@h\"", "sources.s.proxy: the address has an @ behind its host"),
            ("ca-file: ca.pem", "sources.s.ca-file: a path that depends on where Crier is started"),
            ("header: {A: b}", "sources.s: unknown key \"header\"; did you mean \"headers\"?"),
        ])
    func mistake(options: String, words: String) {
        let found = problems(source(options))
        #expect(found.count == 1, "\(found)")
        #expect(found.first?.contains(words) == true, "\(found)")
        #expect(found.first?.contains("hunter2") == false)
    }

    @Test(arguments: ["url: \"file:///f\"", "command: [a]"]) func onlyWhatIsAskedOverHTTPHasThem(address: String) {
        for row in OptionTable.requests {
            let found = problems(source("\(row.key): \(row.example)", url: address))
            #expect(
                found.contains { $0.contains("\"\(row.key)\" is for sources that are asked over HTTP") }, "\(found)")
        }
    }
}
