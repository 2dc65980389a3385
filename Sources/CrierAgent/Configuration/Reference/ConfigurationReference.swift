/// What is made from the table of options: the files that ship with Crier, and part of its README.
public enum ConfigurationReference {
    /// `crier.schema.json`: JSON Schema, draft 2020-12.
    public static var jsonSchema: String { ConfigurationSchema.root.text() + "\n" }

    /// `crier.example.yaml`: every key, commented out at its default.
    public static var example: String { ExampleFile.text }

    /// The tables of the reference, in Markdown.
    public static var markdown: String { ReferenceTables.text }
}
