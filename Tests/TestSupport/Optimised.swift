/// Whether the tests are built with optimisation. Without it, Swift allocates memory where it otherwise would not.
#if DEBUG
public let isOptimised = false
#else
public let isOptimised = true
#endif
