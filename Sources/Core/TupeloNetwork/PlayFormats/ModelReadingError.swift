package import Safetensors
package import TupeloTables

/// Why a model cannot be read. The engine of the page has no `any Error`, so code that the page shares throws this
/// type. The program throws the error within it.
package enum ModelReadingError: Error {
  case header(SafetensorsError)
  case model(ModelFileError)
  case compact(CompactModelError)
  case storage(WeightStorageError)
}
