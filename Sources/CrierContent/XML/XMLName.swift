/// A name as libxml2 gives it: interned, so that equal names are equal pointers for the time of one pass.
struct XMLName {
    let local: UnsafePointer<UInt8>
    let prefix: UnsafePointer<UInt8>?
    let uri: UnsafePointer<UInt8>?
}
