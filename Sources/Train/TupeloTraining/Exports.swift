// Who imports the training also has what it is told by and what it gives back.
@_exported public import TupeloConfiguration
@_exported public import TupeloEvaluation
@_exported public import TupeloModels
