/// The version of what this code computes: equal versions train, play and evaluate to the same bits from the same seed.
/// It changes only when results change, and is written into models and checkpoints.
///
/// - 2: search limited by nodes no longer counts the repetitions of a chance node, so it goes deeper.
/// - 3: a different update of weights for whole states, which ended with version 0.1.0. All other results are equal to
///   2.
/// - 4: values of boards above 16384 are those of lowered boards. A search with a limit on time or nodes cuts off
///   improbable boards. A single legal move is played without a search. Replicas count every merge of the average and
///   every decay.
/// - 5: E and A of temporal coherence are halved before A stops growing. Evaluations during training play games of
///   their own.
public let behaviourVersion = 5
