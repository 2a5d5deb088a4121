// What an app needs to embed a trained agent: rules, network, search and model files. No BLAS, no HTTP, no YAML.
@_exported public import DurableFiles
@_exported public import Safetensors
@_exported public import TupeloEngine
@_exported public import TupeloNetwork
@_exported public import TupeloSearch
