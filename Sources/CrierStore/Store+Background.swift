import GRDB

/// What the user says about fetching in the background, as iOS asks it (Background App Refresh and
/// `setMinimumBackgroundFetchInterval`). The command and the agent keep to it. A program with a scheduler of its own rings the bell of
/// its `run` when they change, and runs it again: without sources while fetching is not ``isOn``, and with a fetcher whose `HostPaces`
/// have the ``minimumInterval``.
public struct BackgroundSettings: Sendable, Hashable {
    /// Whether sources are fetched by their schedule at all.
    public var isOn = true
    /// The least time between two visits to any source: zero to ``longestInterval``.
    public var minimumInterval = Duration.zero

    /// A day.
    public static let longestInterval = Duration.seconds(86_400)

    public init(isOn: Bool = true, minimumInterval: Duration = .zero) {
        self.isOn = isOn
        self.minimumInterval = minimumInterval
    }
}

extension Store {
    /// On, without a minimum, where nothing is stored.
    public func backgroundSettings() throws(StoreError) -> BackgroundSettings {
        try read { db in
            var look = try RawStatement("SELECT isOn, minimumInterval FROM background", in: db)
            return try look.first { row in
                BackgroundSettings(isOn: row.number(0) != 0, minimumInterval: .milliseconds(row.number(1) ?? 0))
            } ?? BackgroundSettings()
        }
    }

    /// A minimum beyond its range is stored as the nearest.
    public func setBackgroundSettings(_ settings: BackgroundSettings) throws(StoreError) {
        let minimum = min(max(settings.minimumInterval, .zero), BackgroundSettings.longestInterval)
        let interval = Int64(minimum / .milliseconds(1))
        try checkPlace()
        try write { db in
            try db.execute(
                sql: """
                    INSERT INTO background (id, isOn, minimumInterval) VALUES (1, ?, ?)
                    ON CONFLICT (id) DO UPDATE SET isOn = excluded.isOn, minimumInterval = excluded.minimumInterval
                    """, arguments: [settings.isOn, interval])
        }
    }
}
