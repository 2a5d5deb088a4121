// The public names that an app needs to embed a trained agent: rules, games, model files, search and agents, and every
// type that one of these names in a public declaration or throws. No BLAS, no HTTP, no YAML.

// Positions, rules and games.
@_exported public import enum TupeloEngine.BoardTextError
@_exported public import enum TupeloEngine.GameRecordError
@_exported public import enum TupeloEngine.Move
@_exported public import enum TupeloEngine.RulesError
@_exported public import enum TupeloEngine.Symmetry
@_exported public import protocol TupeloEngine.Evaluator
@_exported public import protocol TupeloEngine.InterleavingEvaluator
@_exported public import protocol TupeloEngine.MoveValues
@_exported public import protocol TupeloEngine.TileGrid
@_exported public import struct TupeloBase.RandomStream
@_exported public import struct TupeloEngine.Afterstate
@_exported public import struct TupeloEngine.Board
@_exported public import struct TupeloEngine.BoardShape
@_exported public import struct TupeloEngine.ChanceModel
@_exported public import struct TupeloEngine.ChanceOutcome
@_exported public import struct TupeloEngine.ChanceOutcomes
@_exported public import struct TupeloEngine.Game
@_exported public import struct TupeloEngine.GameRecord
@_exported public import struct TupeloEngine.IdentifiedBoard
@_exported public import struct TupeloEngine.IdentifiedTile
@_exported public import struct TupeloEngine.MoveOutcome
@_exported public import struct TupeloEngine.MoveSet
@_exported public import struct TupeloEngine.MoveTrace
@_exported public import struct TupeloEngine.Rules
@_exported public import struct TupeloEngine.Successors

// Learned networks and their files.
@_exported public import class Safetensors.SafetensorsFile
@_exported public import class TupeloNetwork.NTupleNetwork
@_exported public import class TupeloNetwork.SparseNetwork
@_exported public import class TupeloNetwork.TupleIndexer
@_exported public import enum Safetensors.SafetensorsError
@_exported public import enum Safetensors.TensorType
@_exported public import enum TupeloBase.SystemError
@_exported public import enum TupeloNetwork.CompactModelError
@_exported public import enum TupeloNetwork.FoldError
@_exported public import enum TupeloNetwork.ModelFileError
@_exported public import enum TupeloNetwork.ModelPath
@_exported public import enum TupeloNetwork.ModelPathError
@_exported public import enum TupeloNetwork.NamedLayoutError
@_exported public import enum TupeloNetwork.NetworkSpecificationError
@_exported public import enum TupeloNetwork.PlayFormat
@_exported public import enum TupeloNetwork.StagePartitionError
@_exported public import enum TupeloNetwork.TDLWeightFileError
@_exported public import enum TupeloNetwork.TuplePatternError
@_exported public import protocol Safetensors.TensorElement
@_exported public import protocol TupeloNetwork.StoredModel
@_exported public import struct Safetensors.TensorDescription
@_exported public import struct TupeloNetwork.NamedLayout
@_exported public import struct TupeloNetwork.NetworkSpecification
@_exported public import struct TupeloNetwork.NetworkTable
@_exported public import struct TupeloNetwork.StagePartition
@_exported public import struct TupeloNetwork.TuplePattern
@_exported public import struct TupeloNetwork.WeightUsage

// The weights of a network, for programs that inspect them.
@_exported public import class TupeloTables.WeightStorage
@_exported public import enum TupeloTables.WeightStorageError
@_exported public import protocol TupeloTables.FeatureEncoder
@_exported public import protocol TupeloTables.FourSums
@_exported public import protocol TupeloTables.WeightCell
@_exported public import struct TupeloTables.FeatureBuffer
@_exported public import struct TupeloTables.FeatureLayout
@_exported public import struct TupeloTables.NoSums
@_exported public import struct TupeloTables.PlainCell

// Search and players.
@_exported public import class TupeloSearch.SearchCancellation
@_exported public import class TupeloSearch.Searcher
@_exported public import enum TupeloSearch.AgentKey
@_exported public import enum TupeloSearch.AgentName
@_exported public import enum TupeloSearch.AgentSpecificationError
@_exported public import enum TupeloSearch.SearchLimitsError
@_exported public import protocol TupeloSearch.Agent
@_exported public import protocol TupeloSearch.AnalyzingAgent
@_exported public import protocol TupeloSearch.InterleavingAgent
@_exported public import struct TupeloSearch.AgentSpecification
@_exported public import struct TupeloSearch.AnyAgent
@_exported public import struct TupeloSearch.Expectimax
@_exported public import struct TupeloSearch.HeuristicEvaluator
@_exported public import struct TupeloSearch.MoveAnalysis
@_exported public import struct TupeloSearch.SearchLimits
