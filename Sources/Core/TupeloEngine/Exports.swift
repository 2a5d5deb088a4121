// Rules draw tiles from streams of it.
@_exported public import Randomness
