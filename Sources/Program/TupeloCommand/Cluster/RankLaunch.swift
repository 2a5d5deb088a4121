/// How this process was started, according to its environment.
struct RankLaunch {
  /// Whether a launcher of MPI has started it.
  let isByLauncher: Bool
  /// The number of processes that were started together, if the launcher says so.
  let size: Int?

  /// The variables in which launchers pass the number of processes: Open MPI; MPICH and its kin.
  private static let sizes = ["OMPI_COMM_WORLD_SIZE", "PMI_SIZE"]

  init(environment: [String: String]) {
    let size = Self.sizes.compactMap { environment[$0].flatMap { Int($0) } }.first
    // With srun --mpi=pmix it is Slurm that knows the number.
    let isPMIx = environment["PMIX_RANK"] != nil
    self.size = size ?? (isPMIx ? environment["SLURM_STEP_NUM_TASKS"].flatMap { Int($0) } : nil)
    isByLauncher = size != nil || isPMIx
  }

  /// The number of processes that `srun` has started with this one and that cannot find each other; `nil` where it
  /// has not, and in all of them but the first.
  static func strangers(_ environment: [String: String]) -> Int? {
    guard !RankLaunch(environment: environment).isByLauncher, environment["SLURM_PROCID"] == "0" else { return nil }
    return environment["SLURM_STEP_NUM_TASKS"].flatMap { Int($0) }.flatMap { $0 > 1 ? $0 : nil }
  }

  /// An environment for a process that this one starts and that runs alone.
  static func withoutLauncher(_ environment: [String: String]) -> [String: String] {
    environment.filter { name, _ in
      !["OMPI_COMM_WORLD_", "PMIX_", "PMI_"].contains { name.hasPrefix($0) }
    }
  }
}
