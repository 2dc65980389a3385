/// How a notification daemon is asked whether it shows nothing for now, without changing anything.
struct DisturbanceProbe: Sendable {
    let command: [String]
    /// What the answer means; nil is not known.
    let isOn: @Sendable (String) -> Bool?
    /// What switches it off.
    let remedy: String

    /// - Parameter server: As it calls itself on the bus.
    static func of(_ server: String) -> DisturbanceProbe? {
        switch server {
        case "dunst": flag(["dunstctl", "is-paused"], remedy: "dunstctl set-paused false")
        case "gnome-shell":
            flag(
                ["gsettings", "get", "org.gnome.desktop.notifications", "show-banners"], isOnWhen: false,
                remedy: "gsettings set org.gnome.desktop.notifications show-banners true")
        case "mako":
            DisturbanceProbe(
                command: ["makoctl", "mode"],
                isOn: { $0.split(whereSeparator: \.isNewline).contains("do-not-disturb") },
                remedy: "makoctl mode -r do-not-disturb")
        case "SwayNotificationCenter": flag(["swaync-client", "--get-dnd"], remedy: "swaync-client --dnd-off")
        case "Xfce Notify Daemon":
            flag(
                ["xfconf-query", "-c", "xfce4-notifyd", "-p", "/do-not-disturb"],
                remedy: "xfconf-query -c xfce4-notifyd -p /do-not-disturb -s false")
        default: nil
        }
    }

    private static func flag(_ command: [String], isOnWhen value: Bool = true, remedy: String) -> DisturbanceProbe {
        DisturbanceProbe(
            command: command, isOn: { answer in Bool(answer).map { $0 == value } }, remedy: remedy)
    }
}
