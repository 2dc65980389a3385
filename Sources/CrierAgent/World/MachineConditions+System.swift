import CrierFetch

extension MachineConditions {
    /// Asks the kernel for the power and NetworkManager for the connection.
    ///
    /// - Parameter powerSupplies: The kernel's folder of them; nil is its usual one.
    public static func system(environment: [String: String], powerSupplies: String? = nil) -> MachineConditions {
        let power = PowerSupply(folder: powerSupplies ?? PowerSupply.folder)
        let connection = MeteredConnection(environment: environment)
        return MachineConditions(
            unmet: { wanted in
                var unmet: Set<FetchCondition> = []
                if wanted.contains(.acPower), power.isOnBattery { unmet.insert(.acPower) }
                if wanted.contains(.unmetered), await connection.isMetered { unmet.insert(.unmetered) }
                return unmet
            },
            // Another connection has other routes, of which the agent is told in any case.
            changes: { wanted in
                wanted.contains(.acPower) ? WorldEvents.powerChanges() : AsyncStream { $0.finish() }
            })
    }
}
