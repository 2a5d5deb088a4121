// swift-format-ignore-file: AlwaysUseLowerCamelCase
// (The names are those of tupelo.h, which the compiler compares with it.)

internal import CTupeloAPI

/// The version of the interface.
@c @implementation
public func tupelo_abi() -> Int32 { TUPELO_ABI }

/// The version of Tupelo, as a text that is never freed.
@c @implementation
public func tupelo_version() -> UnsafePointer<CChar>? { unsafe CText.version }

/// The last error of this thread.
@c @implementation
public func tupelo_last_error() -> UnsafePointer<CChar>? { unsafe CText.lastError }
