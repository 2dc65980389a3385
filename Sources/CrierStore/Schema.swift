import GRDB

/// The migrations, in order. Append only: a migration that has been released is never changed, and uses no type of the program.
///
/// Dates are INTEGER milliseconds since 1970, UTC.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        for (name, scripts) in migrations {
            migrator.registerMigration(name) { db in
                for script in scripts { try db.execute(sql: script) }
            }
        }
        return migrator
    }

    /// Brings a file up to date.
    ///
    /// Others may do the same at the same time. What is to be made is looked up before the file is locked for it, and what one of
    /// them has made meanwhile cannot be made again: then it is looked up once more.
    static func migrate(_ writer: some DatabaseWriter) throws {
        let migrator = migrator
        /// None where they cannot be told, as in the moment in which another makes the table of them.
        func made() -> Int { (try? writer.read(migrator.appliedMigrations))?.count ?? 0 }
        while true {
            let count = made()
            do { return try migrator.migrate(writer) } catch {
                guard made() > count else { throw error }
            }
        }
    }

    /// Each is made once, in this order; they are only ever appended.
    private static let migrations: [(name: String, scripts: [String])] = [
        ("1 sources, items and the outbox", [sources, outbox, decisions]),
        ("2 hosts", [hosts]),
        ("3 moves and notices", [movesAndNotices]),
        ("4 outbox care", [revisions, care]),
        ("5 addresses told by several", [toldBySeveral]),
        ("6 fetches", [fetches]),
        ("7 background", [background]),
        ("8 digests", [digests]),
        ("9 wake-ups", [wakeUps]),
        ("10 checks without a table", [sourceChecked, fetchChecked]),
        ("11 a delivery's check without a table", [deliveryChecked]),
        ("12 items in rows", [itemsInRows]),
        ("13 visits apart", [visitsApart]),
        ("14 the names of the last run", [lastNames]),
        (
            "15 what is held for its day",
            // When announcedDay was written.
            [held, "ALTER TABLE source ADD COLUMN announcedOn INTEGER"]
        ),
        ("16 the last reading", ["ALTER TABLE source ADD COLUMN lastRead INTEGER"]),
        ("17 schedules of digests", [schedules]),
        (
            "18 until when items are known",
            ["ALTER TABLE source ADD COLUMN knownUntil INTEGER", "ALTER TABLE source ADD COLUMN knownSince INTEGER"]
        ),
        // Short for where a sink led when it said that it is gone; NULL where nobody knows.
        ("19 where sinks that are gone led", ["ALTER TABLE sink ADD COLUMN destination TEXT"]),
        // Attempts of which nobody knows whether the sink took them: those that are being made, too.
        ("20 attempts without an answer", ["ALTER TABLE delivery ADD COLUMN unanswered INTEGER NOT NULL DEFAULT 0"]),
        ("21 documents without items", ["ALTER TABLE source ADD COLUMN emptySince INTEGER"]),
        // NULL where nobody knows.
        ("22 when pauses began", ["ALTER TABLE breaker ADD COLUMN pausedSince INTEGER"]),
        // The same.
        (
            "23 when waits began",
            [
                "ALTER TABLE delivery ADD COLUMN waitsSince INTEGER",
                "CREATE INDEX delivery_waitsSince ON delivery (waitsSince) WHERE state = 'pending'",
            ]
        ),
        // NULL for those that the configuration had when it was looked at last.
        // Those that are gone by now are looked for by the next run.
        ("24 sources that are gone", ["ALTER TABLE source ADD COLUMN absentSince INTEGER", "DELETE FROM names"]),
        // NULL where nothing but the sink has kept it since its notification was made.
        ("25 since when sinks may have it", ["ALTER TABLE delivery ADD COLUMN readySince INTEGER"]),
        // It stands behind the fingerprint of the last visit, where an earlier version takes both for nothing.
        ("26 what a visit may have failed at", []),
        // The conditions of the source that leave an item out which was never told; NULL where none do.
        ("27 what conditions leave out", ["ALTER TABLE item ADD COLUMN leftOut BLOB"]),
        // NULL where there is none, or nobody knows.
        ("28 why there is a mark", ["ALTER TABLE mark ADD COLUMN cause TEXT"]),
        // Those that there are by now are noted by the next run.
        ("29 where sinks lead", [sinkPlaces, "DELETE FROM names"]),
    ]

    /// Whether all migrations have been made and no other, as in no other program's database; false where that cannot be told.
    ///
    /// GRDB would look at each of them, twice, which takes a twelfth of a run that finds nothing due.
    static func isCurrent(_ db: Database) -> Bool {
        let sql = "SELECT identifier FROM grdb_migrations ORDER BY rowid"
        guard var statement = try? RawStatement(sql, in: db) else { return false }
        var (count, isOurs) = (0, true)
        let isRead: Void? = try? statement.rows { row in
            isOurs = isOurs && count < migrations.count && row.holds(migrations[count].name, in: 0)
            count += 1
        }
        return isRead != nil && isOurs && count == migrations.count
    }

    /// Why a file that holds a migration which nobody knows here is not brought up to date: a later version has made those that are
    /// known before, and a disk has damaged the name of one. Nil where there is none.
    static func refusal(of path: String, _ db: Database) throws -> StoreError? {
        let migrator = migrator
        guard try migrator.hasBeenSuperseded(db) else { return nil }
        return try migrator.hasCompletedMigrations(db) ? .newer(path) : .corrupt(path)
    }

    /// Whether it is the database of another program: one of ours begins with the table that tells its migrations, which others
    /// may have as well, and then has the tables of the first of them.
    static func isForeign(_ db: Database) throws -> Bool {
        var statement = try RawStatement(
            """
            SELECT 1 FROM sqlite_master WHERE tbl_name <> 'grdb_migrations' AND (
                NOT EXISTS (SELECT 1 FROM sqlite_master WHERE name = 'grdb_migrations') OR 4 <> (
                    SELECT count(*) FROM sqlite_master
                    WHERE type = 'table' AND name IN ('source', 'item', 'notification', 'delivery')))
            """, in: db)
        return try statement.hasRow()
    }

    private static let sources = """
        CREATE TABLE source (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            fingerprint BLOB,               -- of the address and mapping that the rest was learned with
            visited BLOB,                   -- of those at the last visit, successful or not
            etag BLOB,
            lastModified BLOB,
            bodyHash BLOB,
            lastFetched INTEGER,
            lastSucceeded INTEGER,          -- NULL until the baseline
            lastResult TEXT CHECK (lastResult IN ('newData', 'noData', 'failed')),
            lastStatus INTEGER,
            failure TEXT,                   -- of the last fetch, in words
            failureStage TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            failingSince INTEGER,
            nextFetch INTEGER,
            nextFetchReason TEXT,
            upcoming INTEGER,               -- the earliest date of an item that lies ahead
            announcedDay TEXT,              -- the last day that is accounted for under the daily policy
            lastNotified INTEGER            -- moves when a sink accepts
        ) STRICT;

        CREATE TABLE item (
            source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
            identifier TEXT NOT NULL,
            title TEXT,
            url TEXT,
            published INTEGER,
            updated INTEGER,
            summary TEXT,
            details TEXT,                   -- JSON: authors, attachments, categories
            firstSeen INTEGER NOT NULL,
            lastSeen INTEGER NOT NULL,
            PRIMARY KEY (source, identifier)
        ) STRICT, WITHOUT ROWID;
        """

    private static let movesAndNotices = """
        ALTER TABLE source ADD COLUMN lastURL TEXT;         -- that was visited last, after redirects
        ALTER TABLE source ADD COLUMN host TEXT;            -- of the last visit; NULL on this machine
        ALTER TABLE source ADD COLUMN lastWhole INTEGER;    -- when the document last came, rather than a 304
        ALTER TABLE source ADD COLUMN family TEXT;          -- the kind of the document that was last read
        ALTER TABLE source ADD COLUMN move TEXT;            -- JSON: a permanent redirect that was seen or adopted
        ALTER TABLE source ADD COLUMN goneSince INTEGER;    -- the first 410
        ALTER TABLE source ADD COLUMN failureTold INTEGER;  -- when the user was told that it keeps failing
        ALTER TABLE source ADD COLUMN lastNew INTEGER;      -- when it last had a new item
        ALTER TABLE source ADD COLUMN silenceTold INTEGER;  -- when the user was told that it has gone silent
        UPDATE source SET lastWhole = lastSucceeded,
            lastNew = coalesce((SELECT max(firstSeen) FROM item WHERE item.source = source.id), lastSucceeded);
        """

    private static let hosts = """
        CREATE TABLE host (
            name TEXT PRIMARY KEY,
            lastStarted INTEGER,            -- the last request
            pausedUntil INTEGER,
            pauses INTEGER NOT NULL DEFAULT 0
        ) STRICT;
        ALTER TABLE source ADD COLUMN wishes TEXT;  -- JSON: what its origin asked for
        """

    private static let outbox = """
        CREATE TABLE notification (
            id INTEGER PRIMARY KEY,
            identifier TEXT NOT NULL UNIQUE,
            source INTEGER REFERENCES source ON DELETE SET NULL,
            content TEXT NOT NULL,          -- JSON
            created INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX notification_source ON notification (source);

        CREATE TABLE delivery (
            id INTEGER PRIMARY KEY,
            notification INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE,
            sink TEXT NOT NULL,
            state TEXT NOT NULL CHECK (state IN ('pending', 'held', 'delivered', 'suppressed', 'dead')),
            attempts INTEGER NOT NULL DEFAULT 0,
            nextAttempt INTEGER NOT NULL,
            lastError TEXT,
            receipt TEXT,
            ended INTEGER,
            revision INTEGER NOT NULL DEFAULT 0,  -- rises with each change: a change is made to what was read, or not at all
            toldBy INTEGER REFERENCES notification ON DELETE SET NULL,  -- the summary raised instead
            UNIQUE (notification, sink)
        ) STRICT;
        CREATE INDEX delivery_waiting ON delivery (state, nextAttempt) WHERE state IN ('pending', 'held');
        CREATE INDEX delivery_toldBy ON delivery (toldBy) WHERE toldBy IS NOT NULL;
        """

    private static let decisions = """
        CREATE TABLE sink (
            name TEXT PRIMARY KEY,
            goneSince INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;

        CREATE TABLE authorization (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            status INTEGER NOT NULL CHECK (status IN (0, 1, 2)),
            options INTEGER NOT NULL,
            decided INTEGER NOT NULL
        ) STRICT;
        """

    private static let revisions = """
        -- Rises when a request takes the place of an earlier one of its identifier.
        ALTER TABLE notification ADD COLUMN revision INTEGER NOT NULL DEFAULT 1;
        ALTER TABLE notification ADD COLUMN level TEXT
            GENERATED ALWAYS AS (json_extract(content, '$.interruptionLevel')) VIRTUAL;
        -- Of what makes a reader look again; NULL where updates are not followed.
        ALTER TABLE item ADD COLUMN contentHash BLOB;
        ALTER TABLE item ADD COLUMN updates INTEGER NOT NULL DEFAULT 0;
        -- In which the dates of its last document were read that name none.
        ALTER TABLE source ADD COLUMN timeZone TEXT;
        -- What was told of which address, across sources.
        CREATE TABLE told (
            url TEXT PRIMARY KEY,
            notification INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE
        ) STRICT, WITHOUT ROWID;
        CREATE INDEX told_notification ON told (notification);
        """

    private static let fetches = """
        -- What led to each fetch and how it went: the newest ones. Only ever appended to and cut off at the beginning.
        CREATE TABLE fetch (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
            begun INTEGER NOT NULL,
            cause TEXT NOT NULL,
            result TEXT NOT NULL CHECK (result IN ('newData', 'noData', 'failed')),
            status INTEGER,
            failure TEXT,
            newItems INTEGER NOT NULL,
            duration INTEGER NOT NULL,      -- milliseconds
            bytes INTEGER NOT NULL
        ) STRICT;
        """

    private static let care = """
        -- Waits for the end of quiet hours, or of muting.
        ALTER TABLE delivery ADD COLUMN quieted INTEGER NOT NULL DEFAULT 0;
        CREATE INDEX delivery_over ON delivery (ended) WHERE ended IS NOT NULL;
        -- Attempts that did not work.
        CREATE TABLE attempt (
            id INTEGER PRIMARY KEY,
            delivery INTEGER NOT NULL REFERENCES delivery ON DELETE CASCADE,
            number INTEGER NOT NULL,
            ended INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;
        CREATE INDEX attempt_delivery ON attempt (delivery);
        -- Sinks whose last attempts failed.
        CREATE TABLE breaker (
            sink TEXT PRIMARY KEY,
            failures INTEGER NOT NULL,      -- in a row
            pausedUntil INTEGER,
            reason TEXT NOT NULL
        ) STRICT;
        CREATE TABLE mark (
            name TEXT PRIMARY KEY,
            date INTEGER NOT NULL
        ) STRICT;
        """

    private static let toldBySeveral = """
        -- An address is told by one source at one sink and by another elsewhere.
        CREATE TABLE toldBySeveral (
            url TEXT NOT NULL,
            notification INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE,
            PRIMARY KEY (url, notification)
        ) STRICT, WITHOUT ROWID;
        INSERT INTO toldBySeveral SELECT url, notification FROM told;
        DROP TABLE told;
        ALTER TABLE toldBySeveral RENAME TO told;
        CREATE INDEX told_notification ON told (notification);
        """

    private static let digests = """
        CREATE TABLE digest (
            name TEXT PRIMARY KEY,
            accounted INTEGER NOT NULL      -- the last slot that was issued, or found empty; at first, when it was first seen
        ) STRICT;
        CREATE TABLE digest_issue (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL,
            identifier TEXT NOT NULL UNIQUE,    -- of its notification
            issued INTEGER NOT NULL
        ) STRICT;
        CREATE INDEX digest_issue_digest ON digest_issue (digest);
        -- In the order in which the items came.
        CREATE TABLE digest_item (
            id INTEGER PRIMARY KEY,
            digest TEXT NOT NULL,
            source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
            item TEXT NOT NULL,
            added INTEGER NOT NULL,
            issue INTEGER REFERENCES digest_issue ON DELETE CASCADE,    -- NULL while it waits
            UNIQUE (digest, source, item)
        ) STRICT;
        CREATE INDEX digest_item_source ON digest_item (source);
        CREATE INDEX digest_item_waiting ON digest_item (digest) WHERE issue IS NULL;
        CREATE INDEX digest_item_issue ON digest_item (issue) WHERE issue IS NOT NULL;
        """

    private static let schedules = """
        -- Of the last slot that is accounted for; NULL where nobody knows.
        ALTER TABLE digest ADD COLUMN expression TEXT;
        ALTER TABLE digest ADD COLUMN timeZone TEXT;
        """

    private static let wakeUps = """
        -- Why the agent woke up: the newest ones. Only ever appended to and cut off at the beginning.
        CREATE TABLE wake (
            id INTEGER PRIMARY KEY,
            date INTEGER NOT NULL,
            reason TEXT NOT NULL
        ) STRICT;
        """

    private static let background = """
        -- The user's switch for fetching in the background.
        CREATE TABLE background (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            isOn INTEGER NOT NULL CHECK (isOn IN (0, 1)),
            minimumInterval INTEGER NOT NULL        -- milliseconds
        ) STRICT;
        """

    private static let lastNames = """
        -- What sources and digests were called at the last run, in short.
        CREATE TABLE names (
            id INTEGER PRIMARY KEY CHECK (id = 1),
            fingerprint BLOB NOT NULL
        ) STRICT;
        """

    private static let sinkPlaces = """
        CREATE TABLE sink_place (
            name TEXT PRIMARY KEY,
            fingerprint BLOB NOT NULL       -- of its kind and of where it leads
        ) STRICT;
        """

    /// Before, it was told by their dates which items wait for their day; those of them that a notification tells of do not.
    private static let held = """
        ALTER TABLE item ADD COLUMN isHeld INTEGER NOT NULL DEFAULT 0;      -- waits for its day under the daily policy
        UPDATE item SET isHeld = 1
            WHERE coalesce(published, updated) >= (SELECT upcoming FROM source WHERE source.id = item.source)
            AND coalesce(published, updated) <= firstSeen + 86400000
            AND NOT EXISTS (
                SELECT 1 FROM notification, json_each(content, '$.userInfo.items') AS told
                WHERE notification.source = item.source AND iif(told.type = 'object', json_extract(told.value, '$.id'), NULL) = item.identifier);
        CREATE INDEX item_held ON item (source) WHERE isHeld = 1;
        """
}
