import CrierFetch

extension ConfigurationReader {
    /// The section `hosts`. A mistake in it spoils the whole file: it is about other people's servers.
    mutating func readHosts(_ entry: Entry?, into configuration: inout Configuration) {
        let section = section(entry?.value, key: entry?.position, path: "hosts", expected: "the pace of hosts by name")
        for entry in section.entries {
            guard OptionSections.isHost(entry.key) else {
                report(
                    ValueComplaint(
                        "\(quoted(entry.key)) is no name of a host",
                        expected: "a name such as api.example.org or 127.0.0.1:8080, without https:// and path"),
                    at: entry.position, path: "hosts")
                continue
            }
            let path = "hosts.\(entry.key)"
            let settings = self.section(
                entry.value, key: entry.position, path: path, expected: "the pace of a host, such as {gap: 5s}")
            let values = read(settings, path: path, rows: OptionRows(OptionTable.rows(in: "hosts.*")))
            guard let parallel = values.count("parallel"), let gap = values.duration("gap") else { continue }
            let name = entry.key.lowercased()
            guard configuration.hosts[name] == nil else {
                report(ValueComplaint("\(quoted(entry.key)) is given twice"), at: entry.position, path: "hosts")
                continue
            }
            places["hosts.\(name)"] = entry.position
            configuration.hosts[name] = HostPace(parallel: parallel, gap: gap)
        }
    }
}
