// This module also exports the modules whose values training takes and returns,
@_exported public import TupeloConfiguration
@_exported public import TupeloEvaluation
@_exported public import TupeloModels

// rules, networks, learners and agents,
@_exported public import TupeloEngine
@_exported public import TupeloLearning
@_exported public import TupeloNetwork
@_exported public import TupeloSearch
@_exported public import TupeloSelfPlay
@_exported public import TupeloTables

// and the types of other modules that a public declaration names or throws.
@_exported public import class Safetensors.SafetensorsFile
@_exported public import enum Safetensors.SafetensorsError
@_exported public import enum Safetensors.TensorType
@_exported public import enum TupeloBase.SystemError
@_exported public import protocol Safetensors.TensorElement
@_exported public import struct Safetensors.TensorDescription
