// Rules draw tiles from its streams.
@_exported public import Randomness
