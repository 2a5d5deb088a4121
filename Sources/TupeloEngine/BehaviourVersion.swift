/// The version of this code's results. Equal versions train, play and evaluate to the same bits from the same seed.
///
/// It changes only when results change, and is written into checkpoints and evaluation reports. Version 2: search
/// limited by nodes does not count the repetitions of a chance node, so it goes deeper; all else is as in 1.
public let behaviourVersion = 2
