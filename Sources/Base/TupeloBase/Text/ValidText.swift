extension String {
  /// The text whose UTF-8 bytes these are; `nil` if they are not valid UTF-8.
  ///
  /// The standard library's `String(validating:as:)` does this, too, but needs macOS 15 and iOS 18.
  ///
  /// - Complexity: O(n), two passes
  package init?(validUTF8 bytes: some Collection<UInt8>) {
    let text = String(decoding: bytes, as: UTF8.self)
    // A text is always valid UTF-8. So invalid bytes, which decoding repairs, are never the bytes of the text.
    guard text.utf8.elementsEqual(bytes) else { return nil }
    self = text
  }
}
