// Who imports the training also has what it is told by and what it gives back,
@_exported public import TupeloConfiguration
@_exported public import TupeloEvaluation
@_exported public import TupeloModels

// rules, networks, learners and agents,
@_exported public import TupeloEngine
@_exported public import TupeloLearning
@_exported public import TupeloNetwork
@_exported public import TupeloSearch
@_exported public import TupeloTables

// and, of other modules, the types that a public declaration names or throws: files,
@_exported public import enum DurableFiles.SystemError
@_exported public import enum Safetensors.SafetensorsError
@_exported public import class Safetensors.SafetensorsFile
@_exported public import struct Safetensors.TensorDescription
@_exported public import protocol Safetensors.TensorElement
@_exported public import enum Safetensors.TensorType

// Set,
@_exported public import protocol SetAgents.SetAgent
@_exported public import struct SetAgents.SetEmbeddingEncoder
@_exported public import struct SetAgents.SetEncoder
@_exported public import class SetAgents.SetNetwork
@_exported public import struct SetAgents.SetSpecification
@_exported public import enum SetAgents.SetSpecificationError
@_exported public import struct SetEngine.Card
@_exported public import enum SetEngine.CardFeature
@_exported public import struct SetEngine.CardSet
@_exported public import enum SetEngine.CardTextError
@_exported public import protocol SetEngine.Matchable
@_exported public import struct SetEngine.SetAfterstate
@_exported public import protocol SetEngine.SetEvaluator
@_exported public import struct SetEngine.SetPosition
@_exported public import enum SetEngine.SetPositionError
@_exported public import struct SetEngine.SetRules
@_exported public import enum SetEngine.SetRulesError
@_exported public import struct SetEngine.Trio
@_exported public import struct SetEngine.Trios

// and dense networks.
@_exported public import enum TupeloDense.DenseArithmetic
@_exported public import enum TupeloDense.DenseError
@_exported public import struct TupeloDense.DenseGradient
@_exported public import struct TupeloDense.DenseInitialization
@_exported public import struct TupeloDense.DenseNetwork
@_exported public import struct TupeloDense.DenseSpecification
@_exported public import struct TupeloDense.DenseTensor
@_exported public import struct TupeloDense.DenseWorkspace
@_exported public import struct TupeloDense.EmbeddingShape
@_exported public import struct TupeloDense.FloatStorage
@_exported public import struct TupeloDense.GradientRows
@_exported public import enum TupeloDense.RegressionLoss
