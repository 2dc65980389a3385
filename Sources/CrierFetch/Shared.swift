/// A value that many hold and few change: then it is another one.
struct Shared<Value: Sendable & Hashable>: Sendable, Hashable {
    private final class Box: Sendable {
        let value: Value

        init(_ value: Value) {
            self.value = value
        }
    }

    private var box: Box

    init(_ value: Value) {
        box = Box(value)
    }

    var value: Value {
        get { box.value }
        set { box = Box(newValue) }
    }

    static func == (one: Shared, other: Shared) -> Bool { one.box === other.box || one.value == other.value }

    func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
