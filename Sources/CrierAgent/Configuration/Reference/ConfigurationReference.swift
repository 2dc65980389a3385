/// What is made from the table of options: the files that ship with Crier, and part of its README.
public enum ConfigurationReference {
    /// `crier.schema.json`: JSON Schema, draft 2020-12.
    public static var jsonSchema: String { ConfigurationSchema.root.text() + "\n" }

    /// `crier.example.yaml`: every key, commented out at its default.
    public static var example: String { ExampleFile.text }

    /// The tables of the reference, in Markdown.
    public static var markdown: String { ReferenceTables.text }

    /// What the tables say, for the manual page.
    package static var sections: [ReferenceSection] { ReferenceSection.all }

    /// What keys are the user's own, in Markdown.
    package static var ownKeys: String { OptionSections.own }

    /// What a value that is a template may hold, in Markdown.
    package static let templates = """
        `template:` (for mail also `subject:` and `html:`) is [Mustache](https://mustache.github.io/mustache.5.html) over the keys \
        that the `stdout` sink has in JSON: `'{{source}}: {{title}}{{#url}} {{url}}{{/url}}'`. Values come escaped for where they \
        go (HTML, XML, JSON, JSON lines, or double quotes of YAML, by `content-type:`, a form, plain text), with two braces as with three; what is empty, and 0, \
        counts as false.
        """
}
