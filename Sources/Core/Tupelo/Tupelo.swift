// The public names that an app needs to embed a trained agent: rules, games, model files, search and agents. No BLAS,
// no HTTP, no YAML.

// Positions, rules and games.
@_exported public import struct Randomness.RandomStream
@_exported public import struct TupeloEngine.Afterstate
@_exported public import struct TupeloEngine.Board
@_exported public import struct TupeloEngine.BoardShape
@_exported public import enum TupeloEngine.BoardTextError
@_exported public import struct TupeloEngine.ChanceOutcome
@_exported public import protocol TupeloEngine.Evaluator
@_exported public import struct TupeloEngine.Game
@_exported public import struct TupeloEngine.GameRecord
@_exported public import enum TupeloEngine.GameRecordError
@_exported public import struct TupeloEngine.IdentifiedBoard
@_exported public import struct TupeloEngine.IdentifiedTile
@_exported public import enum TupeloEngine.Move
@_exported public import struct TupeloEngine.MoveOutcome
@_exported public import struct TupeloEngine.MoveSet
@_exported public import struct TupeloEngine.MoveTrace
@_exported public import struct TupeloEngine.Rules
@_exported public import enum TupeloEngine.RulesError

// Learned networks and their files.
@_exported public import enum TupeloNetwork.EndedFeature
@_exported public import enum TupeloNetwork.ModelFileError
@_exported public import class TupeloNetwork.NTupleNetwork
@_exported public import class TupeloNetwork.SparseNetwork
@_exported public import enum DurableFiles.SystemError
@_exported public import enum Safetensors.SafetensorsError

// Search and players.
@_exported public import protocol TupeloSearch.Agent
@_exported public import struct TupeloSearch.AgentSpecification
@_exported public import enum TupeloSearch.AgentSpecificationError
@_exported public import protocol TupeloSearch.AnalyzingAgent
@_exported public import struct TupeloSearch.AnyAgent
@_exported public import struct TupeloSearch.Expectimax
@_exported public import struct TupeloSearch.HeuristicEvaluator
@_exported public import struct TupeloSearch.MoveAnalysis
@_exported public import class TupeloSearch.SearchCancellation
@_exported public import struct TupeloSearch.SearchLimits
@_exported public import enum TupeloSearch.SearchLimitsError
@_exported public import class TupeloSearch.Searcher
@_exported public import struct TupeloSearch.TileDowngrading
