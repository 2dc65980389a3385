import Testing

import struct Foundation.TimeZone

@testable import CrierContent

/// What a mapping makes of every kind of value, and what it says of documents that do not fit it.
struct JQMappingTests {
    private func decode(
        _ json: String, items: String? = ".[]", when: String? = nil, fields: [ContentField: String] = [.title: ".t"],
        zone: TimeZone = .gmt, local: Bool = false
    ) throws -> DecodedContent {
        let document = ContentDocument(body: Array(json.utf8), url: "https://e.org/api/list")
        let mapping = ContentMapping(
            format: .json, items: items, fields: fields, when: when, timeZone: zone, datesAreLocal: local)
        return try JQDecoder.decode(document, mapping: mapping)
    }

    private func failure(_ body: () throws -> DecodedContent) -> ContentError? {
        do {
            _ = try body()
            return nil
        } catch { return error as? ContentError }
    }

    private static let detours = ["", " | select(true)"]

    @Test(
        arguments: [
            ("1", "1"), ("-0.5", "-0.5"), ("1e3", "1000"), ("1000000000000000", "1000000000000000"),
            ("\" a\\tb \"", "a b"),
            ("true", nil), ("false", nil), ("null", nil), ("{\"x\": 1}", nil), ("[]", nil), ("[\"a\", \"b\"]", "a"),
            ("[null, \"b\"]", "b"), ("[[\"a\"], \"b\"]", "a"), ("[{\"x\": 1}, 2]", "2"), ("\"\"", nil),
            ("\"Tom &#038; Jerry&#8217;s &amp; co\"", "Tom & Jerry’s & co"), ("\"AT&T & a<b\"", "AT&T & a<b"),
        ], detours)
    func makesTextOfEveryKindOfValue(_ value: (json: String, text: String?), _ detour: String) throws {
        let content = try decode(
            "[{\"v\": \(value.json), \"i\": 1}]", items: ".[]" + detour, fields: [.id: ".i", .title: ".v"])
        #expect(content.items.first?.title == value.text)
    }

    @Test func anAddressMayBeEscapedForHTML() throws {
        let json = #"[{"u": "https://i.example/a.png?width=640&amp;s=1"}]"#
        let items = try decode(json, items: ".[]", fields: [.url: ".u", .attachment: ".u"]).items
        #expect(items.map(\.url) == ["https://i.example/a.png?width=640&s=1"])
        #expect(items.first?.attachments.map(\.url) == ["https://i.example/a.png?width=640&s=1"])
    }

    @Test(arguments: detours)
    func takesAllOfSeveralValuesWhereAFieldHoldsSeveral(_ detour: String) throws {
        let item = try #require(
            try decode(
                "[{\"w\": [\"A\", [\"B\", 3], null], \"f\": [\"x\", \"/y\"], \"c\": [1, 2]}]", items: ".[]" + detour,
                fields: [.author: ".w", .attachment: ".f", .category: ".c[]", .id: ".c[]"]
            ).items.first)
        #expect(item.authors == ["A", "B", "3"])
        #expect(item.attachments.map(\.url) == ["https://e.org/api/x", "https://e.org/y"])
        #expect(item.categories == ["1", "2"])
        #expect(item.declaredIdentifier == "1")
    }

    @Test(
        arguments: [
            ("{}", "d"), ("{\"a\": null}", "d"), ("{\"a\": false}", "d"), ("{\"a\": \"x\"}", "x"), ("{\"a\": 0}", "0"),
            ("{\"b\": \"y\"}", "y"), ("{\"a\": null, \"b\": \"y\"}", "y"),
        ], detours)
    func takesTheFirstAlternativeThereIs(_ item: (json: String, title: String), _ detour: String) throws {
        let content = try decode("[\(item.json)]", items: ".[]" + detour, fields: [.title: ".a // .b // \"d\""])
        #expect(content.items.map(\.title) == [item.title])
    }

    @Test(arguments: [
        ("[]", ".[]", "no items from `.[]`: `.` is an empty array"),
        ("{\"a\": {\"b\": []}}", ".a.b[]", "no items from `.a.b[]`: `.a.b` is an empty array"),
        ("{\"a\": {}}", ".a[]", "no items from `.a[]`: `.a` is an empty object"),
        ("{\"a\": 1, \"b\": 2}", ".c[]?", "no items from `.c[]?`: `.c` is null, `.` is an object with a, b"),
        ("[1]", ".[] | select(. == 2)", "no items from `.[] | select(. == 2)`: `.[]` is a number"),
        ("{\"a\": {\"b\": 1}}", ".a.c.d[]?", "no items from `.a.c.d[]?`: `.a.c` is null, `.a` is an object with b"),
        (
            "{\"a\": [{\"b\": 1}]}", "[.a[]] | .[5:] | .[]",
            "no items from `[.a[]] | .[5:] | .[]`: the document is an object with a"
        ),
        ("{}", nil, "no items: the document is an empty object, and the mapping has no `items`"),
        ("\"x\"", nil, "no items: the document is a string, and the mapping has no `items`"),
    ])
    func saysWhyThereAreNoItems(_ json: String, _ items: String?, _ remark: String) throws {
        #expect(try decode(json, items: items).remarks == [remark])
    }

    @Test(arguments: [
        ("{\"data\": {\"posts\": []}}", ".data.post[]", "`.data.post` is null, `.data` is an object with posts"),
        ("{\"posts\": 1}", ".posts[]", "`.posts` is a number"),
        ("{\"posts\": [\"x\"]}", ".posts[] | .id", "`.posts[0]` is a string"),
        ("{\"posts\": [\"x\"]}", ".posts[] | select(.id == 9)", "`.posts[0]` is a string"),
        ("{\"posts\": [{\"l\": []}, {\"l\": \"x\"}]}", ".posts[].l[]", "`.posts[1].l` is a string"),
        (
            "{\"posts\": [{\"l\": []}, {\"l\": \"x\"}]}", ".posts[] | select(.l) | .l[]",
            "`.posts[1]` is an object with l"
        ),
        ("{\"a b\": {\"x\": {\"l\": [1]}, \"y\": {\"l\": 2}}}", ".[\"a b\"][].l[]", "`.[\"a b\"].y.l` is a number"),
        ("{\"p\": [{\"q\": [1]}, {\"q\": null}]}", ".p[].q[]", "`.p[1].q` is null"),
        ("{\"a\\\"1\": [{\"b2\": 1}]}", ".[][].b2[]", "`.[\"a\\\"1\"][0].b2` is a number"),
        (
            "{\"\(String(repeating: "k", count: 5000))\": 1}", ".[][]",
            "`.[\"\(String(repeating: "k", count: 39))…\"]` is a number"
        ),
        ("{\"posts\": 1}", ".posts |= map(.x)", "`.posts` is a number"),
        ("[[1]]", "map(.a)[]", "the document is an array of 1"),
    ])
    func saysWhereTheExpressionForTheItemsFails(_ json: String, _ items: String, _ end: String) {
        do {
            _ = try decode(json, items: items)
            Issue.record("\(items) did not fail")
        } catch {
            #expect("\(error)".hasPrefix("`\(items)`: jq: Cannot "), "\(error)")
            #expect("\(error)".hasSuffix("; " + end), "\(error)")
        }
    }

    @Test func saysWhatItemsLack() throws {
        let content = try decode(
            "[{\"t\": \"a\"}, {\"p\": \"never\"}, {\"u\": \"x\"}, 1, {}]",
            fields: [.title: ".t?", .published: ".p?", .url: ".u?"])
        #expect(content.items.count == 2)
        #expect(
            content.remarks == [
                "4 items without a title; the first is an object with p",
                "3 items in which no field gives anything, left out",
                "1 item with a date that is none, such as \"never\"",
            ])
    }

    @Test(arguments: detours)
    func saysWhichFieldsFailInWhichItems(_ detour: String) throws {
        let content = try decode(
            "[1, [2], {\"t\": \"a\", \"u\": \"b\"}]", items: ".[]" + detour, fields: [.title: ".t", .url: ".u"])
        #expect(content.items.count == 1)
        #expect(content.remarks.count { $0.hasPrefix("field ") } == 2)
        let remark = content.remarks.first {
            $0.hasPrefix("field title `.t` fails in 2 items: jq: Cannot index number with ")
        }
        #expect(remark?.hasSuffix("\"t\"; the first is a number") == true)
    }

    @Test(arguments: detours)
    func saysOnWhatOfAnItemAFieldFails(_ detour: String) throws {
        let content = try decode(
            "[{\"t\": {\"x\": 1}}, {\"t\": {\"x\": [{\"y\": 1}, 2]}, \"u\": \"b\"}]", items: ".[]" + detour,
            fields: [.title: ".t.x[].y", .url: ".u", .category: ".u | ascii_upcase"])
        let fields = content.remarks.filter { $0.hasPrefix("field ") }
        #expect(fields.count == 2)
        #expect(fields[0].hasPrefix("field title `.t.x[].y` fails in 2 items: jq: Cannot "))
        #expect(fields[0].hasSuffix("; in the first `.t.x` is a number"))
        #expect(fields[1].hasPrefix("field category `.u | ascii_upcase` fails in 1 item: jq: "))
        #expect(fields[1].hasSuffix("; in the first `.u` is null"))
    }

    @Test func saysHowFarThePathToAMissingTitleGets() throws {
        let content = try decode(
            "[{\"m\": {\"h\": 1, \"i\": {}}, \"u\": \"/1\"}]", fields: [.title: ".m.i.t", .url: ".u"])
        #expect(
            content.remarks == ["1 item without a title; in the first `.m.i.t` is null, `.m.i` is an empty object"])
    }

    @Test(arguments: [
        ("{\"message\": \"slow down\"}", "it says: slow down"), ("{\"error\": \"no key\"}", "it says: no key"),
        ("{\"error\": {\"message\": \"gone\"}}", "it says: gone"),
        ("{\"detail\": \"d\", \"msg\": \"m\"}", "it says: m"),
        ("{\"error\": true, \"key\": \"hidden\"}", "it is an object with error, key"),
        ("{\"title\": \"Posts\", \"description\": \"All\"}", "it is an object with description, title"),
        ("[1, 2]", "it is an array of 2"),
        ("null", "it is null"),
    ])
    func tellsTheDocumentsOwnWordsForItsFailure(_ json: String, _ words: String) {
        let error = failure { try decode(json, when: ".ok? == 1") }
        #expect(
            error == ContentError(.reportsError, "the document reports an error: `.ok? == 1` does not hold; \(words)"))
    }

    @Test(
        "Entries that have none of the names are no empty ones",
        arguments: [
            ("[{\"name\": \"a\"}]", true), ("[\"a\", 1]", true), ("[{\"t\": null}, {\"name\": 1}]", false),
            ("[{\"t\": \"\"}]", false), ("[{}]", false), ("[null]", false), ("[]", false),
        ])
    func entriesWithoutTheNames(_ json: String, _ namesNothing: Bool) throws {
        let content = try decode(json, fields: [.title: ".t", .url: ".u // .v"])
        #expect(content.items.isEmpty && content.namesNothing == namesNothing)
        #expect(try !decode(json, fields: [.title: "[.t] | first"]).namesNothing, "it may begin anywhere")
    }

    @Test(
        "An error in the place of the list is no empty list",
        arguments: [
            (#"{"data": null, "errors": [{"message": "rate limited"}]}"#, "rate limited"),
            (#"{"error": {"code": 429, "message": "slow down"}}"#, "slow down"),
            (#"{"error": "no such key", "data": null}"#, "no such key"),
            (#"{"data": {"list": []}, "errors": [{"message": "one of many"}]}"#, nil),
            (#"{"error": "", "data": null}"#, nil), (#"{"error": false}"#, nil),
            (#"{"data": null, "error": {"code": 0, "message": "success"}}"#, nil), (#"{"error": "0"}"#, nil),
            (#"{"error_message": "OK", "data": null}"#, nil),
            (#"{"message": "no results"}"#, nil), (#"{"errors": []}"#, nil),
        ])
    func errorInPlaceOfTheList(_ json: String, _ words: String?) throws {
        for items in [".data.list[]?", ".data.list[]? | select(.id)"] {
            let mapping = ContentMapping(format: .json, items: items, fields: [.title: ".title"])
            let document = ContentDocument(body: Array(json.utf8), url: "https://a.example/", contentType: nil)
            guard let words else {
                #expect(try ContentDecoder(mapping: mapping).decode(document).items.isEmpty)
                continue
            }
            let error = #expect(throws: ContentError.self) { try ContentDecoder(mapping: mapping).decode(document) }
            #expect(error?.kind == .reportsError && error?.description.hasSuffix("it says: \(words)") == true)
        }
    }

    @Test func saysThatWhenFails() {
        #expect(failure { try decode("[]", when: ".a.b") }?.kind == .badExpression)
        #expect(
            failure { try decode("[]", when: ".a | length > 1") }?.description.hasPrefix("jq: `when`: Cannot") == true)
    }

    @Test func boundsTheNumberOfItems() {
        let json = "[" + Array(repeating: "{}", count: 10_001).joined(separator: ",") + "]"
        #expect(failure { try decode(json) } == ContentError(.tooLarge, "more than 10000 items"))
        #expect(failure { try decode("null", items: "range(10001)") }?.kind == .tooLarge)
    }

    /// A field that never ends is cut off, one that fails leaves the others alone.
    @Test func tellsWhichMappingsWaitForLibjq() {
        func runs(_ items: String?, when: String? = nil, _ fields: [ContentField: String] = [:]) -> Bool {
            var mapping = ContentMapping()
            mapping.format = .json
            (mapping.items, mapping.when, mapping.fields) = (items, when, fields)
            return mapping.runsPrograms
        }
        #expect(!runs(".a[]", when: ".error == false", [.title: ".t // .u"]))
        #expect(runs(".a[]", [.title: ".t | ascii_downcase"]))
        #expect(runs(".a[]", when: ".n > 1"))
        #expect(runs(nil))
        #expect(!ContentMapping().runsPrograms)
        #expect(ContentMapping(format: .jsonFeed, when: ".n > 1").runsPrograms)
        #expect(!ContentMapping(format: .jsonFeed, when: ".ok").runsPrograms)
    }

    @Test func keepsFieldsApart() throws {
        let content = try decode(
            "[{\"t\": \"a\"}]", fields: [.title: ".t", .category: "repeat(1)", .author: "error(\"no\")"])
        #expect(content.items.map(\.title) == ["a"])
        #expect(content.items[0].categories.count == 100)
        #expect(content.items[0].authors.isEmpty)
        #expect(
            content.remarks == ["field author `error(\"no\")` fails in 1 item: jq: no; the first is an object with t"])
    }

    @Test func keepsWhatNoFieldSelectsOutOfEverything() throws {
        let json = """
            {"status": 100, "data": [{"_id": "5e01", "title": "T", "images": ["i.jpg"], "publishedAt": "2020-03-30 17:47:27",
              "author": null, "user": {"name": "n", "token": "t0p"}, "category": "Girl"},
              {"_id": "5e02", "title": "U", "images": null, "publishedAt": "2020-03-30T17:47:27Z", "token": "t0p"},
              {"_id": "5e03", "title": null, "images": "one.jpg", "user": ["t0p"]}]}
            """
        let shanghai = try #require(TimeZone(identifier: "Asia/Shanghai"))
        for detour in Self.detours {
            let content = try decode(
                json, items: ".data[]" + detour, when: ".status == 100",
                fields: [
                    .id: "._id", .title: ".title", .published: ".publishedAt", .author: ".author",
                    .attachment: ".images",
                    .category: ".category",
                ], zone: shanghai, local: true)
            #expect(content.items.map(\.declaredIdentifier) == ["5e01", "5e02", "5e03"])
            #expect(content.items.map { $0.published?.timeIntervalSince1970 } == [1_585_561_647, 1_585_561_647, nil])
            #expect(
                content.items.map { $0.attachments.map(\.url) } == [
                    ["https://e.org/api/i.jpg"], [], ["https://e.org/api/one.jpg"],
                ])
            #expect(content.items.allSatisfy { $0.authors.isEmpty })
            let shape = "an object with _id, images, title, user"
            #expect(content.remarks == ["1 item without a title; the first is \(shape)"])
            #expect(!String(describing: content).contains("t0p"))
        }
    }
}

/// A history grouped by day, each day by category, in which categories come and go.
struct DayHistoryTests {
    private let fields: [ContentField: String] = [
        .id: "._id", .title: ".desc", .url: ".url", .published: ".publishedAt", .author: ".who", .category: ".type",
    ]

    private func decode(_ results: String) throws -> DecodedContent {
        let json = "{\"category\": [\"App\", \"福利\"], \"error\": false, \"results\": \(results)}"
        let document = ContentDocument(body: Array(json.utf8), url: "https://gank.example/api/day/2017/05/11")
        let mapping = ContentMapping(
            format: .json, items: ".results[][]", fields: fields, when: ".error == false",
            timeZone: TimeZone(identifier: "Asia/Shanghai") ?? .gmt, datesAreLocal: true)
        return try JQDecoder.decode(document, mapping: mapping)
    }

    @Test func readsCategoriesInAnyLanguageAndWithoutSomeOfThem() throws {
        let picture =
            "{\"_id\": \"1\", \"desc\": \"5-11\", \"type\": \"福利\", \"url\": \"http://i.example/1.jpg\", \"who\": null}"
        let app = "{\"_id\": \"2\", \"desc\": \"App\", \"type\": \"App\", \"url\": \"http://e.org/a\", \"who\": \"w\"}"
        let both = try decode("{\"福利\": [\(picture)], \"App\": [\(app)]}")
        #expect(Set(both.items.map(\.identifier)) == ["1", "2"])
        #expect(Set(both.items.flatMap { $0.categories }) == ["福利", "App"])
        #expect(both.items.flatMap { $0.authors } == ["w"])
        #expect(both.remarks.isEmpty)
        let one = try decode("{\"App\": [\(app)], \"福利\": []}")
        #expect(one.items.map(\.title) == ["App"])
        #expect(try decode("{\"App\": []}").remarks == ["no items from `.results[][]`: `.results[]` is an empty array"])
    }

    @Test func failsWhereACategoryIsNoList() {
        #expect(throws: ContentError.self) { try decode("{\"App\": 5}") }
        #expect(throws: ContentError.self) { try decode("null") }
    }
}
