/// The version of what this code computes: equal versions train, play and evaluate to the same bits from the same seed.
/// It changes only when results change, and is written into checkpoints and evaluation reports.
///
/// - 2: search limited by nodes no longer counts the repetitions of a chance node, so it goes deeper.
/// - 3: weights for whole states learned otherwise; they ended with version 0.1.0. All else is as in 2.
public let behaviourVersion = 3
