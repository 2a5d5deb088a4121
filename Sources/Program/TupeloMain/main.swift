import TupeloCommand

// Build plugin BuildCommit writes `buildCommit`. It stands in this target alone, because each commit changes it, and
// all that depends on its target is then compiled again.
await Program.main(builtFrom: buildCommit)
