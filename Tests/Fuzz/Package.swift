// swift-tools-version: 6.1
import PackageDescription

/// The fuzzer of what Crier reads; a package of its own, since it links with a sanitizer's runtime only.
let package = Package(
    name: "crier-fuzz",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "crier", path: "../..")],
    targets: [
        .executableTarget(name: "CrierFuzz", dependencies: [.product(name: "CrierContent", package: "crier")])
    ],
    swiftLanguageModes: [.v6]
)
