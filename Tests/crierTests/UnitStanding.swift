/// What `systemctl show` says of a unit.
enum UnitStanding {
    static func text(_ unit: String, at path: String, _ enablement: String, _ activity: String) -> String {
        """
        Id=\(unit)
        LoadState=loaded
        FragmentPath=\(path)
        UnitFileState=\(enablement)
        ActiveState=\(activity)

        """
    }
}
