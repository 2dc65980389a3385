import GRDB

/// The migrations, in order. Append only: a migration that has been released is never changed, and uses no type of the program.
///
/// Dates are INTEGER milliseconds since 1970, UTC.
enum Schema {
    static var migrator: DatabaseMigrator {
        var migrator = DatabaseMigrator()
        migrator.registerMigration("1 sources, items and the outbox") { db in
            try db.execute(sql: sources)
            try db.execute(sql: outbox)
            try db.execute(sql: decisions)
        }
        migrator.registerMigration("2 hosts") { db in try db.execute(sql: hosts) }
        return migrator
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
}
