internal import ArgumentParser
internal import TupeloRuns

@main
struct TupeloCommand: AsyncParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "tupelo",
    abstract: "Trains, measures and plays agents for 2048.",
    discussion: """
      Start with: tupelo train --config configs/quickstart.yaml
      """,
    version: programVersion,
    subcommands: [
      TrainCommand.self, EvaluateCommand.self, ArenaCommand.self, MergeCommand.self, AutoplayCommand.self,
      PlayCommand.self, AdviseCommand.self, AnalyzeCommand.self, ReviewCommand.self, SolveCommand.self,
      ServeCommand.self,
      AverageCommand.self, FoldCommand.self, ImportCommand.self, ExportCommand.self, InspectCommand.self,
      ModelsCommand.self, SweepCommand.self, PlotCommand.self, BenchCommand.self,
    ])
}
