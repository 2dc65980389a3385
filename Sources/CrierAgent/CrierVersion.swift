/// The version of this program.
public enum CrierVersion {
    public static let number = "0.1.0"
    /// Who visits, in the words of RFC 9110 §10.1.5, with a page that explains.
    public static let userAgent = "crier/\(number) (+https://github.com/crier/crier)"
}
