// swift-tools-version: 6.1
import PackageDescription

/// `CRIER_STRICT=1` (set by `scripts/test` and `scripts/check`) makes every warning of this package an error.
let strict: [SwiftSetting] =
    Context.environment["CRIER_STRICT"] == "1" ? [.unsafeFlags(["-warnings-as-errors"])] : []

/// Of the release binary, which is started anew by cron (see the decision "A lean binary"). It is no library's, so that those
/// can be depended upon.
let leanLink: [LinkerSetting] = [
    .unsafeFlags(
        [
            "-use-ld=lld", "-Xlinker", "--no-export-dynamic", "-Xlinker", "-zpack-relative-relocs",
            "-Xclang-linker", "--config=\(Context.packageDirectory)/Sources/crier/crier.cfg",
            "-Xlinker", "--symbol-ordering-file=\(Context.packageDirectory)/Sources/crier/crier.order",
            "-Xlinker", "--no-warn-symbol-ordering",
            "-Xlinker", "--script=\(Context.packageDirectory)/Sources/crier/crier.ld",
        ],
        .when(platforms: [.linux], configuration: .release))
]

let grdb: Target.Dependency = .product(name: "GRDB", package: "GRDB.swift")
let sqlite: Target.Dependency = .product(name: "GRDBSQLite", package: "GRDB.swift")
let logging: Target.Dependency = .product(name: "Logging", package: "swift-log")
let mustache: Target.Dependency = .product(name: "Mustache", package: "swift-mustache")
let unixSignals: Target.Dependency = .product(name: "UnixSignals", package: "swift-service-lifecycle")
let serviceLifecycle: Target.Dependency = .product(name: "ServiceLifecycle", package: "swift-service-lifecycle")
let hummingbird: Target.Dependency = .product(name: "Hummingbird", package: "hummingbird")
let hummingbirdCore: Target.Dependency = .product(name: "HummingbirdCore", package: "hummingbird")
let nio: [Target.Dependency] = ["NIOCore", "NIOPosix", "NIOHTTP1"].map { .product(name: $0, package: "swift-nio") }
let argumentParser: Target.Dependency = .product(name: "ArgumentParser", package: "swift-argument-parser")

let package = Package(
    name: "crier",
    platforms: [.macOS(.v15)],
    products: [
        .library(
            name: "Crier",
            targets: [
                "CrierNotifications", "CrierStore", "CrierDelivery", "CrierContent", "CrierHTTP", "CrierProcess",
                "CrierFetch", "CrierAgent",
            ]),
        // Without the agent, and so without its server.
        .library(
            name: "CrierDelivery",
            targets: ["CrierNotifications", "CrierStore", "CrierDelivery", "CrierHTTP", "CrierProcess"]),
        .library(
            name: "CrierFetch",
            targets: [
                "CrierNotifications", "CrierStore", "CrierFetch", "CrierContent", "CrierHTTP", "CrierProcess",
            ]),
        .library(name: "CrierContent", targets: ["CrierContent"]),
        .library(name: "CrierTesting", targets: ["CrierTesting"]),
        .executable(name: "crier", targets: ["crier"]),
    ],
    dependencies: [
        .package(url: "https://github.com/groue/GRDB.swift", from: "7.10.0"),
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/swift-server/swift-service-lifecycle", from: "2.13.0"),
        .package(url: "https://github.com/hummingbird-project/swift-mustache", from: "2.1.1"),
        // Its traits bring in a reader of configurations.
        .package(url: "https://github.com/hummingbird-project/hummingbird", from: "2.28.1", traits: []),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
    ],
    targets: [
        .systemLibrary(name: "CCurl", pkgConfig: "libcurl", providers: [.apt(["libcurl4-openssl-dev"])]),
        .systemLibrary(name: "CLibXML2", pkgConfig: "libxml-2.0", providers: [.apt(["libxml2-dev"])]),
        .systemLibrary(name: "CYAML", pkgConfig: "yaml-0.1", providers: [.apt(["libyaml-dev"])]),
        .systemLibrary(name: "CJQ", providers: [.apt(["libjq-dev"])]),
        .systemLibrary(name: "CNettle", pkgConfig: "nettle", providers: [.apt(["nettle-dev"])]),
        // A header only: there is nothing to link.
        .systemLibrary(name: "CXXHash", providers: [.apt(["libxxhash-dev"])]),
        .systemLibrary(name: "CLinux"),
        .target(name: "CDelayLoad", dependencies: ["CCurl", "CLibXML2", "CJQ"]),

        .target(name: "CrierHTTP", dependencies: ["CCurl", "CrierProcess"]),
        .target(name: "CrierHashing", dependencies: ["CNettle", "CXXHash"]),
        .target(name: "CrierContent", dependencies: ["CLibXML2", "CJQ", "CrierHashing"]),
        .target(name: "CrierNotifications"),
        .target(name: "CrierProcess", dependencies: ["CLinux"]),
        .target(
            name: "CrierStore",
            dependencies: ["CrierContent", "CrierNotifications", "CrierProcess", grdb, sqlite]),
        .target(
            name: "CrierFetch",
            dependencies: [
                "CrierHashing", "CrierHTTP", "CrierContent", "CrierNotifications", "CrierProcess", "CrierStore",
            ]),
        .target(
            name: "CrierDelivery",
            dependencies: [
                "CrierHashing", "CrierHTTP", "CrierNotifications", "CrierProcess", "CrierStore",
                mustache,
            ]),
        .target(
            name: "CrierAgent",
            dependencies: [
                "CrierHashing", "CrierHTTP", "CrierContent", "CrierNotifications", "CrierProcess", "CrierStore",
                "CrierFetch", "CrierDelivery",
                "CYAML", "CLinux", unixSignals, serviceLifecycle,
                hummingbird, hummingbirdCore,
                logging,
            ] + nio),
        .executableTarget(
            name: "crier",
            dependencies: [
                "CrierAgent", "CrierHTTP", "CrierContent", "CrierNotifications", "CrierStore", "CrierFetch",
                "CrierDelivery", "CrierProcess",
                "CLinux",
                argumentParser,
                logging,
                .target(name: "CDelayLoad", condition: .when(platforms: [.linux])),
            ],
            exclude: ["crier.cfg", "crier.ld", "crier.order"],
            linkerSettings: leanLink),
        .target(
            name: "CrierTesting", dependencies: ["CrierHTTP", "CrierNotifications", "CrierProcess"]),

        .testTarget(name: "CrierHashingTests", dependencies: ["CrierHashing"]),
        .testTarget(name: "CrierHTTPTests", dependencies: ["CrierHTTP", "CrierTesting"]),
        .testTarget(
            name: "CrierContentTests", dependencies: ["CrierContent", "CJQ", "CrierTesting"],
            resources: [.copy("Fixtures")]),
        .target(name: "CFaultyDisk", path: "Tests/CFaultyDisk", linkerSettings: [.linkedLibrary("sqlite3")]),
        .testTarget(
            name: "CrierStoreTests",
            dependencies: [
                "CFaultyDisk", "CrierStore", "CrierContent", "CrierNotifications", "CrierProcess", "CrierTesting", grdb,
            ]),
        .testTarget(
            name: "CrierFetchTests",
            dependencies: [
                "CrierFetch", "CrierHTTP", "CrierContent", "CrierHashing", "CrierNotifications", "CrierProcess",
                "CrierStore", "CrierTesting",
                grdb,
            ]),
        .testTarget(
            name: "CrierDeliveryTests",
            dependencies: [
                "CrierDelivery", "CrierContent", "CrierHTTP", "CrierNotifications", "CrierProcess", "CrierStore",
                "CrierTesting",
            ]),
        .testTarget(
            name: "CrierAgentTests",
            dependencies: [
                "CrierAgent", "CrierContent", "CrierDelivery", "CrierFetch", "CrierHTTP", "CrierNotifications",
                "CrierProcess", "CrierStore", "CrierTesting", "CLinux",
                grdb, logging, serviceLifecycle,
            ]),
        .testTarget(
            name: "crierTests",
            dependencies: [
                "crier", "CrierAgent", "CrierContent", "CrierNotifications", "CrierStore", "CrierTesting", "CLinux",
                grdb,
            ]),
    ],
    swiftLanguageModes: [.v6]
)

/// Built with the optimizer (`scripts/soak --optimized`), the soak stands alone: the other tests take longer than its run.
if Context.environment["CRIER_SOAK"] == "1" {
    package.targets.removeAll { $0.type == .test && $0.name != "CrierAgentTests" }
}

/// A visit goes through thirty functions, which stay where their caller is (SE-0461): each change of executor takes its time.
let visits: [SwiftSetting] = [.enableUpcomingFeature("NonisolatedNonsendingByDefault")]

for target in package.targets where target.type != .system {
    target.swiftSettings = strict + (target.name == "CrierFetch" ? visits : [])
}
