import Foundation
import Testing

@testable import CrierContent

/// One at a time: each holds one of the few threads that all tests share while its program runs.
@Suite(.serialized) struct JQProgramTests {
    /// In a process of its own: the system, or another part of the host, takes away what is left of children.
    @Test func aHostThatHasItsChildrenForgottenIsToldWhatMayBeTheMatter() async {
        await #expect(processExitsWith: .success) {
            signal(SIGCHLD, SIG_IGN)
            let value = try JSONDocument.parse(Array("[1, 2]".utf8))
            var sum = 0.0
            try JQProgram("map(. * 2) | add").run(on: value) { value throws(ContentError) in
                sum += value.number ?? 0
                return true
            }
            #expect(sum == 6)
            let error = #expect(throws: ContentError.self) {
                try JQProgram("def f: f; f").run(on: value, limits: JQLimits(computingTime: 1)) {
                    _ throws(ContentError) in true
                }
            }
            #expect(error?.kind == .tooLarge && error?.description.contains("1 s of computing") == true)
        }
    }

    @Test func runsOverAValueAgainAndAgain() throws {
        let program = try JQProgram(".a[] | . * 2")
        for _ in 0..<3 {
            var sum = 0.0
            try program.run(on: JSONDocument.parse(Array("{\"a\": [1, 2, 3]}".utf8))) { value throws(ContentError) in
                sum += value.number ?? 0
                return true
            }
            #expect(sum == 12)
        }
    }

    @Test func stopsWhereItsReaderHasEnough() throws {
        var count = 0
        try JQProgram("repeat(1)").run(on: .null) { _ throws(ContentError) in
            count += 1
            return count < 3
        }
        #expect(count == 3)
    }

    @Test func saysWhatDoesNotCompileAndWhere() {
        let error = failure(".a |\n.b | | .c")
        #expect(error?.kind == .badExpression)
        #expect(error?.description.contains("syntax error") == true)
        #expect(error?.description.hasSuffix("(line 2, character 6)") == true)
        #expect(error?.description.contains("shell") == false)
        #expect(failure("nosuch")?.description.contains("nosuch/0 is not defined") == true)
        #expect(failure("")?.kind == .badExpression)
        #expect(failure(".a\u{0}")?.description == "a jq program holds no NUL")
        #expect(failure(" \n")?.kind == .badExpression)
        #expect(failure("def f: 1;")?.kind == .badExpression)
        #expect(failure(".a # comment") == nil)
    }

    @Test(arguments: [
        (".a[] | select(.b > )", "unexpected ')' (character 20)"), (".a[", "unexpected $end (at its end)"),
        (".a | (.b | .c", "unexpected $end (at its end)"), (".a)", "(character 3)"),
        (".\"é\" | .a b | .c", "(character 11)"),
        ("[.a, .b] | | .c", "unexpected '|'"), ("if .a then .b", "unexpected $end (at its end)"),
        (".a | {b: .c, : .d}", "(character 14)"), (".a == == .b", "(character 7)"),
        (".a | lenght", "lenght/0 is not defined (character 6)"),
        ("map(.a | fo(1; 2))", "fo/2 is not defined (character 10)"),
        ("\"fo\" | fo", "fo/0 is not defined (character 8)"), (".fo | $fo", "$fo is not defined (character 7)"),
        (".données[]", "(character 6); a name of other letters than ASCII's stands in quotes: .[\"données\"]"),
        (".[\"é\"] | .naïf", "(character 13); a name of other letters than ASCII's stands in quotes: .[\"naïf\"]"),
        (
            "lenght | map($n) | lenght | nam",
            "lenght/0 is not defined (character 1); nam/0 is not defined (character 29); $n is not defined (character 14)"
        ),
        ("def f: .a;\nf |\n  g", "g/0 is not defined (line 3, character 3)"),
        (".fo | fo", "fo/0 is not defined (character 7)"),
        ("def foo: 1; foo | fo", "fo/0 is not defined (character 19)"),
    ])
    func pointsIntoTheProgram(_ program: String, _ words: String) {
        let error = failure(program)
        #expect(error?.kind == .badExpression)
        #expect(error?.description.contains(words) == true, "\(error?.description ?? "none")")
    }

    @Test func saysWhatFailsAtRunTime() {
        let error = failure(".a.b", "{\"a\": \"text\"}")
        #expect(error?.kind == .badExpression)
        #expect(error?.description.contains("Cannot index string") == true)
        #expect(failure("error({code: 7})")?.description.contains("7") == true)
    }

    @Test(arguments: ["env", "$ENV", "[env.HOME, $ENV.PATH]", "env | keys", "def f: $ENV; f"])
    func hidesTheEnvironment(_ program: String) throws {
        let outputs = try outputs(program)
        #expect(["{}", "[]", "[null,null]"].contains(outputs.joined()))
    }

    @Test(arguments: [
        "import \"a\" as a; 1", "include \"a\"; 1", "input", "halt", "halt_error", "{} | halt_error(1)",
        "\"a\" | modulemeta",
    ])
    func reachesNothingBeyondItsInput(_ program: String) {
        #expect(failure(program)?.kind == .badExpression)
    }

    @Test func yieldsNothingFromFilesAndStreams() throws {
        #expect(try outputs("[inputs]") == ["[]"])
        #expect(try outputs("input_filename, get_search_list, (1 | debug), (2 | stderr)") == ["null", "[]", "1", "2"])
    }

    @Test(arguments: [
        "[range(1e12)] | length", "def f: f; f", "last(repeat(1))", "until(false; .)", "[recurse(.)] | length",
        "reduce range(1e12) as $x (0; . + 1)", "[limit(1e12; repeat(1))] | length",
    ])
    func endsWhereAProgramDoesNot(_ program: String) throws {
        let limits = JQLimits(time: .milliseconds(50))
        #expect(failure(program, limits: limits)?.kind == .tooLarge)
    }

    @Test func endsWhatComputesTooLong() {
        let error = failure(
            "\"a b\" | gsub(\"^\\\\s*|\\\\s*$\"; \"\")", limits: JQLimits(computingTime: 1, time: .seconds(300)))
        // libjq 1.7 and later end it by themselves.
        #expect(error == nil || error?.description.contains("takes more than 1 s") == true)
        let endless = failure("until(false; .)", limits: JQLimits(computingTime: 1, time: .seconds(300)))
        #expect(endless?.description.contains("takes more than 1 s of computing; where it has gsub") == true)
    }

    /// Each of them ends the process that libjq 1.6 runs in: by an assertion, by the processor or for want of memory.
    @Test(arguments: [
        ("[scan(\"[a-z]*\")] | join(\" \")", "\"äöü ß\""), ("[splits(\" *\")] | join(\"-\")", "\"äöü ß\""),
        ("now | strftime([])", "null"), ("reduce range(1e6) as $_ (0; [.])", "null"),
        (".[1e9] = 1", "null"), ("\"abc\" * 1e9", "null"), ("[limit(60; \"x\" | recurse(. + .))] | length", "null"),
        (". % -1", "-9223372036854775808"), ("(1e308 * 10) as $x | [1][$x - $x:]", "null"), ("index(\"\")", "\"abc\""),
        ("([range(300)] | map(\"a\") | add) + \"b\" | test(\"^(((a?)*)*)*$\")", "null"),
    ])
    func survivesWhatLibjqDoesNot(_ program: String, _ json: String) throws {
        // What a newer libjq makes of it is its own affair; here it matters that this process goes on.
        if let error = failure(program, json, limits: JQLimits(computingTime: 1)) {
            #expect(error.kind == .badExpression || error.kind == .tooLarge)
            #expect(error.description.contains("jq"))
        }
        #expect(try outputs("1 + 1") == ["2"])
    }

    @Test func passesOnWhatIsLongAndMany() throws {
        #expect(try outputs("[range(100000)] | tojson | length") == ["588891"])
        #expect(try outputs("[limit(200000; repeat(\"ab\"))] | add").joined().utf8.count == 400_002)
        #expect(try outputs("range(20000)").count == 20_000)
        #expect(
            failure("[limit(200; repeat(\"0123456789\"))] | add", limits: JQLimits(outputBytes: 1000))?.kind
                == .tooLarge)
    }

    @Test func endsWithTheTaskThatWantsIt() async {
        let task = Task { failure("until(false; .)", limits: JQLimits(computingTime: 60, time: .seconds(60))) }
        task.cancel()
        #expect(await task.value?.description == "the jq program was stopped")
    }

    @Test func runsAgainAfterItWasStopped() throws {
        let program = try JQProgram("if . then last(repeat(1)) else 7 end")
        for _ in 0..<2 {
            #expect(throws: ContentError.self) {
                try program.run(on: JSONDocument.parse(Array("true".utf8)), limits: JQLimits(time: .milliseconds(20))) {
                    _ in true
                }
            }
            var outputs: [Double?] = []
            try program.run(on: JSONDocument.parse(Array("false".utf8))) { value throws(ContentError) in
                outputs.append(value.number)
                return true
            }
            #expect(outputs == [7])
        }
    }

    @Test(arguments: ["todate", "date", "todateiso8601", "strftime(\"%Y\")", "strflocaltime(\"%Y\")"])
    func survivesTimesThatNoCalendarHas(_ program: String) throws {
        #expect(failure(program, "1e300")?.kind == .badExpression)
        #expect(failure(program, "-1e300")?.kind == .badExpression)
        #expect(try outputs(program, "1709663415").joined().hasPrefix("\"2024"))
        #expect(try outputs("gmtime | \(program)", "1709663415").joined().hasPrefix("\"2024"))
    }

    @Test func yieldsABoundedNumberOfValues() {
        #expect(failure("repeat(1)")?.kind == .tooLarge)
        #expect(failure("range(5)", limits: JQLimits(outputs: 4))?.kind == .tooLarge)
        #expect(failure("range(4)", limits: JQLimits(outputs: 4)) == nil)
    }

    @Test func servesManyTasksAtOnce() async throws {
        let programs = JQPrograms()
        try await withThrowingTaskGroup(of: Double.self) { group in
            for number in 0..<16 {
                group.addTask {
                    var sum = 0.0
                    let program = try programs.program("[range(100)] | add + \(number % 2)")
                    try program.run(on: .null) { value throws(ContentError) in
                        sum += value.number ?? 0
                        return true
                    }
                    return sum
                }
            }
            for try await sum in group { #expect(sum == 4950 || sum == 4951) }
        }
        #expect(try programs.program("1") === programs.program("1"))
    }
}
