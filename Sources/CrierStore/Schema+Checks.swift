/// Tables made anew for their checks.
///
/// For a list of more than two values SQLite sets up a table in memory at each check, which takes longer than to write the
/// row; comparisons take nothing.
extension Schema {
    static let sourceChecked = """
        CREATE TABLE checked (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            fingerprint BLOB,
            visited BLOB,
            etag BLOB,
            lastModified BLOB,
            bodyHash BLOB,
            lastFetched INTEGER,
            lastSucceeded INTEGER,
            lastResult TEXT CHECK (lastResult = 'newData' OR lastResult = 'noData' OR lastResult = 'failed'),
            lastStatus INTEGER,
            failure TEXT,
            failureStage TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            failingSince INTEGER,
            nextFetch INTEGER,
            nextFetchReason TEXT,
            upcoming INTEGER,
            announcedDay TEXT,
            lastNotified INTEGER,
            wishes TEXT,
            lastURL TEXT,
            host TEXT,
            lastWhole INTEGER,
            family TEXT,
            move TEXT,
            goneSince INTEGER,
            failureTold INTEGER,
            lastNew INTEGER,
            silenceTold INTEGER,
            timeZone TEXT
        ) STRICT;
        INSERT INTO checked SELECT * FROM source;
        DROP TABLE source;
        ALTER TABLE checked RENAME TO source;
        """

    static let fetchChecked = """
        CREATE TABLE checked (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES source ON DELETE CASCADE,
            begun INTEGER NOT NULL,
            cause TEXT NOT NULL,
            result TEXT NOT NULL CHECK (result = 'newData' OR result = 'noData' OR result = 'failed'),
            status INTEGER,
            failure TEXT,
            newItems INTEGER NOT NULL,
            duration INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO checked SELECT * FROM fetch;
        DROP TABLE fetch;
        ALTER TABLE checked RENAME TO fetch;
        """

    static let deliveryChecked = """
        CREATE TABLE checked (
            id INTEGER PRIMARY KEY,
            notification INTEGER NOT NULL REFERENCES notification ON DELETE CASCADE,
            sink TEXT NOT NULL,
            state TEXT NOT NULL CHECK (
                state = 'pending' OR state = 'held' OR state = 'delivered' OR state = 'suppressed' OR state = 'dead'),
            attempts INTEGER NOT NULL DEFAULT 0,
            nextAttempt INTEGER NOT NULL,
            lastError TEXT,
            receipt TEXT,
            ended INTEGER,
            revision INTEGER NOT NULL DEFAULT 0,
            toldBy INTEGER REFERENCES notification ON DELETE SET NULL,
            quieted INTEGER NOT NULL DEFAULT 0,
            UNIQUE (notification, sink)
        ) STRICT;
        INSERT INTO checked SELECT * FROM delivery;
        DROP TABLE delivery;
        ALTER TABLE checked RENAME TO delivery;
        CREATE INDEX delivery_waiting ON delivery (state, nextAttempt) WHERE state IN ('pending', 'held');
        CREATE INDEX delivery_toldBy ON delivery (toldBy) WHERE toldBy IS NOT NULL;
        CREATE INDEX delivery_over ON delivery (ended) WHERE ended IS NOT NULL;
        """
}
