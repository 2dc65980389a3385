/// The units, which stand in `config/systemd` for a binary in `~/.local/bin`. A command is what `ExecStart=` has.
enum UnitText {
    static func agentService(_ command: String) -> String {
        """
        [Unit]
        Description=Crier: polls feeds and raises notifications
        Documentation=https://github.com/crier/crier
        # Tried for two hours: the program may be being replaced, or another agent or run at work.
        StartLimitIntervalSec=3h
        StartLimitBurst=1500

        [Service]
        Type=notify
        NotifyAccess=main
        ExecStart=\(command)
        SyslogIdentifier=crier
        ExecReload=kill -HUP $MAINPID
        WatchdogSec=90
        TimeoutStartSec=60
        TimeoutStopSec=10
        Restart=on-failure
        RestartSec=5
        # Wrong usage, a state or a configuration that cannot be used: trying again does not help.
        RestartPreventExitStatus=64 65 66 73 78
        SuccessExitStatus=143

        \(rules)

        [Install]
        WantedBy=default.target

        """
    }

    static func fetchService(_ command: String) -> String {
        """
        [Unit]
        Description=Crier: visits what is due and raises what is new
        Documentation=https://github.com/crier/crier
        \(condition(command))

        [Service]
        Type=oneshot
        ExecStart=\(command)
        SyslogIdentifier=crier
        # A run begins visits for ten minutes at most.
        TimeoutStartSec=15min
        TimeoutStopSec=10
        # No network, another run at work, notifications that wait for permission: the next run comes anyway.
        SuccessExitStatus=69 75 77 143

        \(rules)

        """
    }

    static let fetchTimer = """
        [Unit]
        Description=Crier: a run every ten minutes
        Documentation=https://github.com/crier/crier

        [Timer]
        OnCalendar=*:0/10
        # A run that was missed while the machine was off is made up for.
        Persistent=yes
        # Not all machines at the full ten minutes; the same moment on each of them every time.
        RandomizedDelaySec=2min
        FixedRandomDelay=yes

        [Install]
        WantedBy=timers.target

        """

    /// - Parameter digest: As it stands in units.
    static func digestService(_ digest: String, _ command: String) -> String {
        """
        [Unit]
        Description=Crier: the digest \(digest)
        Documentation=https://github.com/crier/crier
        \(condition(command))

        [Service]
        Type=oneshot
        ExecStart=\(command)
        SyslogIdentifier=crier
        TimeoutStartSec=15min
        TimeoutStopSec=10
        # No network, another run at work (which issues it), a notification that waits for permission.
        SuccessExitStatus=69 75 77 143

        \(rules)

        """
    }

    static func digestTimer(_ digest: String, at calendars: [String]) -> String {
        """
        [Unit]
        Description=Crier: the digest \(digest), when it is due
        Documentation=https://github.com/crier/crier

        [Timer]
        \(calendars.map { "OnCalendar=" + $0 }.joined(separator: "\n"))
        AccuracySec=1s
        # One that was missed while the machine was off comes at the next start.
        Persistent=true

        [Install]
        WantedBy=timers.target

        """
    }

    /// Of what a timer starts, and so tries again. An agent would not be started again that ended while its program was away.
    /// Conditions have paths without quotes.
    private static func condition(_ command: String) -> String {
        """
        # Quiet where the program is gone, as when its package was removed.
        ConditionFileIsExecutable=\(InstalledCommand.unitPath(of: command[...]))
        """
    }

    private static let rules = """
        # A secret that the configuration names as {credential: team-secret}:
        #LoadCredential=team-secret:%h/.config/crier/team-secret

        # Programs of your own (sinks of the kind exec, sources with command) live under these rules too. That is why the home
        # folder, /tmp (the sockets of displays) and devices (sound) stay as they are, and memory may be made executable.
        UMask=0077
        NoNewPrivileges=yes
        LockPersonality=yes
        RestrictRealtime=yes
        RestrictSUIDSGID=yes
        RestrictNamespaces=yes
        RestrictAddressFamilies=AF_UNIX AF_INET AF_INET6 AF_NETLINK
        SystemCallArchitectures=native
        SystemCallFilter=@system-service
        SystemCallErrorNumber=EPERM
        ProtectSystem=full
        ProtectClock=yes
        ProtectHostname=yes
        ProtectControlGroups=yes
        ProtectKernelLogs=yes
        ProtectKernelModules=yes
        ProtectKernelTunables=yes
        """
}
