/// A state file as the first version of the schema left it, as `sqlite3 .dump` prints it.
let firstSchemaDump = """
    CREATE TABLE authorization (
        id INTEGER PRIMARY KEY CHECK (id = 1),
        status INTEGER NOT NULL CHECK (status IN (0, 1, 2)),
        options INTEGER NOT NULL,
        decided INTEGER NOT NULL
    ) STRICT;
    INSERT INTO "authorization" VALUES(1,2,7,1699999999000);
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
    INSERT INTO "delivery" VALUES(1,1,'desktop','delivered',1,1700000000000,NULL,'17',1700000001000,2,NULL);
    INSERT INTO "delivery" VALUES(2,2,'desktop','pending',2,1700000300000,'HTTP 500',NULL,NULL,4,NULL);
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO "grdb_migrations" VALUES('1 sources, items and the outbox');
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
    INSERT INTO "item" VALUES(1,'urn:a','An item','https://e.example/a',1699990000000,NULL,'Its text','{"authors":["Ann"],"attachments":[],"categories":["c"]}',1700000000000,1700000000000);
    CREATE TABLE notification (
        id INTEGER PRIMARY KEY,
        identifier TEXT NOT NULL UNIQUE,
        source INTEGER REFERENCES source ON DELETE SET NULL,
        content TEXT NOT NULL,          -- JSON
        created INTEGER NOT NULL
    ) STRICT;
    INSERT INTO "notification" VALUES(1,'news/urn:a',1,'{"title":"An item","subtitle":"News","body":"","threadIdentifier":"news","categoryIdentifier":"","interruptionLevel":"critical","relevanceScore":0,"userInfo":{},"attachments":[]}',1700000000000);
    INSERT INTO "notification" VALUES(2,'news/urn:b',1,'{"title":"Another","subtitle":"News","body":"","threadIdentifier":"news","categoryIdentifier":"","interruptionLevel":"active","relevanceScore":0,"userInfo":{},"attachments":[]}',1700000000000);
    CREATE TABLE sink (
        name TEXT PRIMARY KEY,
        goneSince INTEGER NOT NULL,
        reason TEXT NOT NULL
    ) STRICT;
    INSERT INTO "sink" VALUES('team',1700000000000,'HTTP 410');
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
    INSERT INTO "source" VALUES(1,'news',X'0102',NULL,X'572F22782231',NULL,NULL,1700000000000,1700000000000,'newData',200,NULL,NULL,0,NULL,1700003600000,'its interval of 1 h',NULL,'2023-11-14',1700000001000);
    CREATE INDEX notification_source ON notification (source);
    CREATE INDEX delivery_waiting ON delivery (state, nextAttempt) WHERE state IN ('pending', 'held');
    CREATE INDEX delivery_toldBy ON delivery (toldBy) WHERE toldBy IS NOT NULL;
    """
