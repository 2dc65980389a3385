import struct Foundation.URLComponents

/// An address of outsiders where a click leads.
enum WebLink {
    /// The address if it is an absolute http or https URL without anything that could end the place it is put into;
    /// nil for all else, `javascript:` and half addresses included.
    static func safe(_ url: String?) -> String? {
        guard let url, url.utf8.count <= 2_000, !url.unicodeScalars.contains(where: isUnfit),
            let parts = URLComponents(string: url), ["http", "https"].contains(parts.scheme?.lowercased()),
            parts.host?.isEmpty == false
        else { return nil }
        return url
    }

    private static func isUnfit(_ scalar: Unicode.Scalar) -> Bool {
        scalar.properties.isWhitespace || PlainText.isHarmful(scalar) || "<>\"`\\^{|}".unicodeScalars.contains(scalar)
    }
}
