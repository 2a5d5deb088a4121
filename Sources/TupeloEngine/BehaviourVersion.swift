/// The version of what this code computes: equal versions train, play and evaluate to the same bits from the same seed. It
/// changes only when results change, and is written into checkpoints and evaluation reports.
public let behaviourVersion = 1
