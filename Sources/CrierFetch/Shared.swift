/// A value that many hold and few change: then it is another one.
///
/// It asks no more of its values than it must: the runtime would look through all of the program for it.
@usableFromInline
struct Shared<Value: Sendable>: Sendable {
    @usableFromInline
    final class Box: Sendable {
        @usableFromInline let value: Value

        init(_ value: consuming Value) {
            self.value = value
        }
    }

    @usableFromInline private(set) var box: Box

    init(_ value: consuming Value) {
        box = Box(value)
    }

    @usableFromInline var value: Value {
        @inlinable get { box.value }
        set { box = Box(newValue) }
    }
}

extension Shared: Equatable where Value: Equatable {
    @usableFromInline static func == (one: Shared, other: Shared) -> Bool {
        one.box === other.box || one.value == other.value
    }
}

extension Shared: Hashable where Value: Hashable {
    @usableFromInline func hash(into hasher: inout Hasher) { hasher.combine(value) }
}
