extension RunConfiguration {
  /// Whether replicas learn the weights, on this number of ranks.
  package func hasReplicas(on ranks: Int) -> Bool { training.replicas > 1 || ranks > 1 }

  /// The number of workers of one process: threads that play, each with a random stream.
  package var workers: Int { training.threads * training.replicas }
}
