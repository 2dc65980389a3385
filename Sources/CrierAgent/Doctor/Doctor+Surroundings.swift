import CrierDelivery
import CrierFetch
import CrierHTTP
import CrierProcess
import CrierStore
import Foundation

extension Doctor {
    // MARK: - The desktop

    func desktopFindings(_ configuration: Configuration?) async -> [Finding] {
        let isNeeded = configuration?.sinks.contains { $0.settings.kind == .desktop } ?? false
        guard isNeeded else { return [Finding("desktop", .ok, "no sink needs one")] }
        let desktop = DesktopEnvironment(variables: environment, userID: getuid())
        guard let bus = desktop.busAddress else {
            return [
                Finding(
                    "session bus", .warn, "there is none: desktop notifications wait for the next session",
                    remedy: "log in to a desktop; a bus that is elsewhere is named by DBUS_SESSION_BUS_ADDRESS")
            ]
        }
        if let reason = await silence(of: desktop.variables(for: bus)) {
            return [
                Finding(
                    "session bus", .warn, "\(bus) \(reason): desktop notifications wait for the next session",
                    remedy: "log in to a desktop anew; a bus that is elsewhere is named by DBUS_SESSION_BUS_ADDRESS")
            ]
        }
        let found = Finding("session bus", .ok, bus)
        guard let server = await desktop.notificationServer(limit: .seconds(3)) else {
            return [
                found,
                Finding(
                    "notification daemon", .warn, "none answers: desktop notifications wait for one",
                    remedy: "start one, such as dunst, mako, or that of your desktop"),
            ]
        }
        let abilities = server.capabilities.joined(separator: ", ")
        return [
            found,
            Finding("notification daemon", .ok, "\(server.name): \(abilities.isEmpty ? "plain text" : abilities)"),
        ]
            + (await disturbanceFinding(server.name, desktop.variables(for: bus)))
    }

    /// Why the session bus is of no use; nil where it answers, or nothing is there to ask it with.
    private func silence(of variables: [String: String]) async -> String? {
        let call = BusCall(.session, "org.freedesktop.DBus", method: "GetId")
        guard call.isPossible(variables: variables) else { return nil }
        return switch await call.reply(variables: variables, limit: .seconds(3)) {
        case .answer: nil
        case .silence: "does not answer"
        case .refusal: "cannot be reached"
        }
    }

    private func disturbanceFinding(_ server: String, _ variables: [String: String]) async -> [Finding] {
        guard let probe = DisturbanceProbe.of(server) else {
            // Some have it as a property, such as Plasma.
            let call = BusCall(
                .session, "org.freedesktop.Notifications", interface: "org.freedesktop.DBus.Properties", method: "Get",
                arguments: ["org.freedesktop.Notifications", "Inhibited"])
            let answer = await call.answer(variables: variables, limit: .seconds(3)) ?? ""
            guard answer.contains("true") || answer.contains("false") else { return [] }
            return finding(server, isOn: answer.contains("true"), remedy: "switch it off in the settings of \(server)")
        }
        guard let answer = await output(of: probe.command, variables: variables), let isOn = probe.isOn(answer) else {
            return []
        }
        return finding(server, isOn: isOn, remedy: probe.remedy)
    }

    private func finding(_ server: String, isOn: Bool, remedy: String) -> [Finding] {
        isOn
            ? [Finding("do not disturb", .warn, "\(server) shows nothing for now", remedy: remedy)]
            : [Finding("do not disturb", .ok, "it is off")]
    }

    // MARK: - Time and network

    /// Times of day are those of the zone that `TZ` or the machine has. For one without a name another is silently taken.
    var zoneFindings: [Finding] {
        let name = environment["TZ"]
        let isNameless = name == nil && MachineZone.isNameless
        guard isNameless || name.map({ !$0.isEmpty && TimeZone(identifier: $0) == nil }) == true else { return [] }
        let what = isNameless ? "\(MachineZone.localTime) holds" : "TZ is \"\(name ?? "")\","
        let taken = "times of day are those of \(TimeZone.current.identifier)"
        return [
            Finding(
                "time zone", .warn, "\(what) a zone that Crier does not know: \(taken)",
                remedy: "TZ=Europe/Berlin, or whatever `timedatectl list-timezones` has"
                    + (isNameless ? "" : "; without TZ the machine's own"))
        ]
    }

    func clockFindings(_ store: Store?) async -> [Finding] {
        let subject = "clock"
        let now = clock.now
        let latest = (try? store?.states().values.compactMap(\.lastFetched).max()) ?? nil
        if let latest, latest > now.addingTimeInterval(60) {
            return [
                Finding(
                    subject, .warn,
                    "the last visit lies ahead, on \(RelativeTime.absolute(latest)): the clock was set back",
                    remedy: "timedatectl set-ntp true")
            ]
        }
        switch await output(of: ["timedatectl", "show", "--property=NTPSynchronized", "--value"]) {
        case "yes": return [Finding(subject, .ok, "it is synchronized")]
        case "no":
            return [Finding(subject, .warn, "it is not synchronized", remedy: "timedatectl set-ntp true")]
        default: return [Finding(subject, .ok, "whether it is synchronized is not known")]
        }
    }

    func networkFinding(_ store: Store?, _ configuration: Configuration?) -> Finding {
        let subject = "network"
        guard network.isSatisfied() else {
            return Finding(
                subject, .warn, "there is no default route: nothing is counted against sources", remedy: "connect")
        }
        // Of an outage that nobody asks beyond of any more, the end would never be noted.
        guard configuration?.sources.contains(where: \.liesBeyond) == true,
            let outage = (try? store?.outage(at: clock.now)) ?? nil
        else { return Finding(subject, .ok, "there is a way out") }
        return Finding(
            subject, .warn, "there is a way out, but no host could be reached since \(outage.words)",
            remedy: "crier fetch, which says what it is now: a login, a name server, a proxy or a firewall")
    }

    /// Of those that all servers are vouched for by, but where a source has its own.
    func certificateFindings(_ configuration: Configuration?) -> [Finding] {
        let areNeeded =
            configuration?.sources.contains(where: \.needsAuthorities) == true
            || configuration?.sinks.contains(where: \.settings.needsAuthorities) == true
        guard areNeeded, let path = TrustStore(environment).missing else { return [] }
        return [
            Finding(
                "certificates", .fail, "the authorities, \(path), are not there or cannot be read: no https works",
                remedy: "apt install ca-certificates; CURL_CA_BUNDLE and SSL_CERT_FILE name others")
        ]
    }
}

extension Source {
    fileprivate var needsAuthorities: Bool {
        guard case .url(let url) = address else { return false }
        return self.request.caFile == nil && url.isOfHTTPS
    }
}

extension SinkSettings {
    /// As far as it is known: an address may be a secret.
    fileprivate var needsAuthorities: Bool {
        switch self {
        case .webhook(let settings):
            if case .plain(let url) = settings.url { url.isOfHTTPS } else { false }
        case .email(let settings): settings.security != .none
        case .service(let service):
            switch service {
            case .ntfy(let url, _, _), .gotify(let url, _), .telegram(let url, _, _), .matrix(let url, _, _),
                .pushover(let url, _, _):
                url.isOfHTTPS
            case .slack, .discord: true
            case .mattermost: false
            }
        case .stdout, .desktop, .file, .exec, .apprise, .feed: false
        }
    }
}

extension String {
    fileprivate var isOfHTTPS: Bool { prefix(6).lowercased() == "https:" }
}
