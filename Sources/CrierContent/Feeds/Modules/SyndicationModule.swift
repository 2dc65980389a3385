/// The syndication module of RSS 1.0: how often a feed changes.
enum SyndicationModule {
    static let elements: [String: FeedElement] = [
        "updateperiod": FeedElement(role: .updatePeriod),
        "updatefrequency": FeedElement(role: .updateFrequency),
    ]
}
