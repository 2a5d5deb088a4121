/// The fields of a JSON object by their keys. A field without a value is left out.
struct JSONFields: Encodable, ExpressibleByDictionaryLiteral {
  private var fields: [String: (any Encodable)?]

  init(dictionaryLiteral elements: (String, (any Encodable)?)...) {
    fields = Dictionary(uniqueKeysWithValues: elements)
  }

  subscript(key: String) -> (any Encodable)? {
    get { fields[key] ?? nil }
    set { fields[key] = newValue }
  }

  func encode(to encoder: any Encoder) throws {
    var container = encoder.container(keyedBy: FieldKey.self)
    for case (let key, let value?) in fields { try container.encode(value, forKey: FieldKey(stringValue: key)) }
  }

  private struct FieldKey: CodingKey {
    let stringValue: String
    var intValue: Int? { nil }

    init(stringValue: String) { self.stringValue = stringValue }
    init?(intValue: Int) { nil }
  }
}
