// Rules draw tiles from its streams.
@_exported public import struct TupeloBase.RandomStream
