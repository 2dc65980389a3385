/// Tables made anew for the pages that they take: a page is what is read and written, however little of it is needed.
extension Schema {
    /// A table without row identifiers keeps its rows in its inner pages, too, of which three or four fit into one: a look for
    /// an item went through seven pages, and two fifths of the file were empty.
    static let itemsInRows = """
        CREATE TABLE itemInRow (
            id INTEGER PRIMARY KEY,
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
            contentHash BLOB,
            updates INTEGER NOT NULL DEFAULT 0,
            UNIQUE (source, identifier)
        ) STRICT;
        INSERT INTO itemInRow SELECT NULL, * FROM item;
        DROP TABLE item;
        ALTER TABLE itemInRow RENAME TO item;
        """

    /// What each visit writes is a fifth of a source's row. Apart from the rest, sources that are visited together share few
    /// pages, also where they are few among many.
    static let visitsApart = """
        CREATE TABLE visit (
            source INTEGER PRIMARY KEY REFERENCES source ON DELETE CASCADE,
            lastFetched INTEGER,
            lastSucceeded INTEGER,
            lastResult TEXT CHECK (lastResult = 'newData' OR lastResult = 'noData' OR lastResult = 'failed'),
            lastStatus INTEGER,
            nextFetch INTEGER,
            nextFetchReason TEXT
        ) STRICT;
        INSERT INTO visit
            SELECT id, lastFetched, lastSucceeded, lastResult, lastStatus, nextFetch, nextFetchReason FROM source;
        CREATE TABLE sourceWithoutVisit (
            id INTEGER PRIMARY KEY,
            name TEXT NOT NULL UNIQUE,
            fingerprint BLOB,
            visited BLOB,
            etag BLOB,
            lastModified BLOB,
            bodyHash BLOB,
            failure TEXT,
            failureStage TEXT,
            failures INTEGER NOT NULL DEFAULT 0,
            failingSince INTEGER,
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
        INSERT INTO sourceWithoutVisit
            SELECT id, name, fingerprint, visited, etag, lastModified, bodyHash, failure, failureStage, failures,
                failingSince, upcoming, announcedDay, lastNotified, wishes, lastURL, host, lastWhole, family, move,
                goneSince, failureTold, lastNew, silenceTold, timeZone
            FROM source;
        DROP TABLE source;
        ALTER TABLE sourceWithoutVisit RENAME TO source;
        -- Each row is looked for in the table that it refers to: that is this one now.
        CREATE TABLE fetchOfVisit (
            id INTEGER PRIMARY KEY,
            source INTEGER NOT NULL REFERENCES visit ON DELETE CASCADE,
            begun INTEGER NOT NULL,
            cause TEXT NOT NULL,
            result TEXT NOT NULL CHECK (result = 'newData' OR result = 'noData' OR result = 'failed'),
            status INTEGER,
            failure TEXT,
            newItems INTEGER NOT NULL,
            duration INTEGER NOT NULL,
            bytes INTEGER NOT NULL
        ) STRICT;
        INSERT INTO fetchOfVisit SELECT * FROM fetch;
        DROP TABLE fetch;
        ALTER TABLE fetchOfVisit RENAME TO fetch;
        """
}
