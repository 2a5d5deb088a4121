internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloBase
internal import TupeloTraining

@Suite struct TrainingTests {
  private static func progress() -> tupelo_progress {
    var progress = tupelo_progress()
    progress.size = UInt64(MemoryLayout<tupelo_progress>.size)
    return progress
  }

  /// Slices by time and by games, with a checkpoint between them, are compared with one undivided run of the library.
  @Test(
    .slow,
    arguments: [
      smallNetwork, smallNetwork + "training: {games_at_once: 2}\naveraging: {every_games: 50}\n",
      "network: {patterns: \"012 014\", dense: {hidden: [8], embedding: 7}}\nlearner: {batch: 8}\n",
      "game: set\n",
    ] as [String])
  func slicesEqualOneUndividedRun(yaml: String) throws {
    let games = 192
    let configuration = try RunConfiguration.load(
      yaml: yaml, sourceName: "test", environment: [:], overrides: ["training.games=\(games)"], of: allGames)
    let whole = try Trainer(configuration)
    try whole.train()
    let expected = try whole.model().identity

    let trainer = try makeTrainer(yaml, ["training.games=\(games)"])
    defer { _ = tupelo_release(trainer) }
    var (progress, slices, sum) = (Self.progress(), 0, Int64(0))
    repeat {
      #expect(tupelo_trainer_slice(trainer, 0, 1, 0, &progress) == 0)
      #expect(progress.slice_games > 0)
      slices += 1
      sum += progress.slice_moves
      if slices == 1 { #expect(progress.games < games) }
    } while progress.games < games
    #expect(slices > 1 && progress.games == games && sum == progress.moves)
    #expect(progress.moves == Int64(whole.moves))
    #expect(try identity(ofTrainer: trainer) == expected)
    // The training is finished.
    #expect(tupelo_trainer_slice(trainer, 0, 0, 0, &progress) == 0 && progress.slice_games == 0)
  }

  /// A slice lets the first two calls pass, so at least one game begins however slow the machine is.
  @Test(arguments: [1, 2])
  func theSecondCallComesBeforeTheFirstGame(gamesAtOnce: Int) throws {
    let yaml = smallNetwork + "training: {games: 64, games_at_once: \(gamesAtOnce)}\n"
    let trainer = try Trainer(
      RunConfiguration.load(yaml: yaml, sourceName: "test", environment: [:], overrides: [], of: allGames))
    let calls = Counter()
    try trainer.train(shouldStop: { calls.next() >= 2 }) { _ in }
    #expect(trainer.games > 0 && trainer.games < 64)
  }

  @Test func aCheckpointContinuesTheRun() throws {
    let folder = try TemporaryFolder()
    let trainer = try makeTrainer(smallNetwork, ["training.games=100"])
    #expect(tupelo_trainer_slice(trainer, 40, 0, 0, nil) == 0)
    #expect(tupelo_trainer_save(trainer, folder.file("checkpoint.safetensors")) == 0)
    #expect(tupelo_trainer_slice(trainer, 0, 0, 0, nil) == 0)
    let expected = try identity(ofTrainer: trainer)
    #expect(tupelo_release(trainer) == 0)

    var resumed: Int64 = 0
    #expect(tupelo_trainer_resume(folder.path, nil, 0, 0, &resumed) == 0)
    #expect(text { tupelo_trainer_info(resumed, $0, $1, $2) }.contains("\"games\":40"))
    var progress = Self.progress()
    #expect(tupelo_trainer_slice(resumed, 0, 0, 0, &progress) == 0)
    #expect(progress.games == 100 && progress.slice_games == 60)
    #expect(try identity(ofTrainer: resumed) == expected)
    #expect(tupelo_release(resumed) == 0)

    let changed = withTexts(["seed=9"]) { tupelo_trainer_resume(folder.path, $0, 1, 0, &resumed) }
    #expect(Int(changed) == TUPELO_BAD_CONFIGURATION && lastError.contains("seed was"))
    let allowed = withTexts(["seed=9"]) { tupelo_trainer_resume(folder.path, $0, 1, 1, &resumed) }
    #expect(Int(allowed) == TUPELO_OK)
    #expect(tupelo_release(resumed) == 0)
  }

  @Test func aCheckpointKeepsTheBytesOfTheCaller() throws {
    let folder = try TemporaryFolder()
    let trainer = try makeTrainer(smallNetwork)
    var (attached, length, found): (Int64, UInt64, [UInt8]) = (0, 0, [0, 0, 0, 0])
    #expect(tupelo_trainer_attached(trainer, &attached) == 0)
    #expect(tupelo_bytes_read(attached, nil, 0, &length) == 0 && length == 0)
    #expect(tupelo_trainer_attach(trainer, [7, 0, 9], 3) == 0)
    for file in ["one.safetensors", "two.safetensors"] {
      #expect(tupelo_trainer_save(trainer, folder.file(file)) == 0)
    }
    #expect(try bytes(ofFile: folder.file("one.safetensors")) == bytes(ofFile: folder.file("two.safetensors")))
    var (resumed, again): (Int64, Int64) = (0, 0)
    #expect(tupelo_trainer_resume(folder.file("one.safetensors"), nil, 0, 0, &resumed) == 0)
    // A program that does not know the bytes keeps them, too.
    #expect(tupelo_trainer_save(resumed, folder.file("three.safetensors")) == 0)
    #expect(tupelo_trainer_resume(folder.file("three.safetensors"), nil, 0, 0, &again) == 0)
    #expect(tupelo_trainer_attached(again, &attached) == 0)
    #expect(tupelo_bytes_read(attached, &found, 2, &length) == TUPELO_TOO_SMALL)
    #expect(length == 3 && found == [0, 0, 0, 0])
    #expect(tupelo_bytes_read(attached, &found, 4, &length) == 0 && found == [7, 0, 9, 0])
    #expect(tupelo_trainer_attach(trainer, nil, 3) == TUPELO_INVALID_ARGUMENT)
    for object in [trainer, resumed, again, attached] { #expect(tupelo_release(object) == 0) }
  }

  @Test func twoThreadsCannotTrainOneRun() throws {
    let trainer = try makeTrainer(smallNetwork)
    var control: Int64 = 0
    #expect(tupelo_control_create(&control) == 0)
    let used = control
    let slice = Background { Int(tupelo_trainer_slice(trainer, 1_000_000_000, 0, used, nil)) }
    var games: Int64 = 0
    while games == 0 { try #require(tupelo_control_progress(control, &games) == 0) }
    #expect(tupelo_trainer_slice(trainer, 5, 0, 0, nil) == TUPELO_BUSY)
    #expect(lastError.hasPrefix("handle \(trainer) is in use by another thread"))
    #expect(tupelo_trainer_save(trainer, "/nowhere") == TUPELO_BUSY)
    #expect(tupelo_trainer_model(trainer, &games) == TUPELO_BUSY)
    #expect(tupelo_release(trainer) == TUPELO_BUSY)
    #expect(tupelo_control_cancel(control) == 0)
    #expect(slice.wait() == TUPELO_CANCELLED)
    // The trainer can continue.
    var progress = Self.progress()
    #expect(tupelo_trainer_slice(trainer, 1_000_000_000, 1, 0, &progress) == 0)
    #expect(progress.slice_games > 0)
    #expect(tupelo_release(trainer) == 0 && tupelo_release(control) == 0)
  }

  @Test func faultsOfAConfigurationAreNamed() {
    func text(_ yaml: String, _ overrides: [String] = []) -> (status: Int, text: String) {
      var trainer: Int64 = 0
      let status = withTexts(overrides) {
        tupelo_trainer_create(yaml, "my.yaml", $0, UInt64(overrides.count), &trainer)
      }
      return (Int(status), lastError)
    }
    let unknown = text("learner:\n  alfa: 1\n")
    #expect(unknown.status == TUPELO_BAD_CONFIGURATION)
    #expect(unknown.text == "my.yaml:2: learner.alfa: unknown key, did you mean learner.alpha?")
    #expect(text("", ["learner.alpha=x"]).status == TUPELO_BAD_CONFIGURATION)
    #expect(text("[").status == TUPELO_BAD_CONFIGURATION)
    #expect(text(smallNetwork, ["network.patterns=01234567 12345678 23456789 3456789a"]).status < 0)
    var trainer: Int64 = 0
    #expect(tupelo_trainer_create(nil, nil, nil, 3, &trainer) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "overrides is NULL: give memory for 3 values")
    let wrong = [CChar(truncatingIfNeeded: 0xc0), 0]
    #expect(tupelo_trainer_create(wrong, nil, nil, 0, &trainer) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_trainer_resume("/nowhere", nil, 0, 0, &trainer) == TUPELO_BAD_FILE)
    #expect(tupelo_trainer_resume("/nowhere", nil, 0, 2, &trainer) == TUPELO_INVALID_ARGUMENT)
  }

  @Test func aTrainerSaysWhatItIs() throws {
    let trainer = try makeTrainer(smallNetwork + "training: {games: 7}\n", ["learner.warm_up_alpha=0.5"])
    defer { _ = tupelo_release(trainer) }
    let json = text { tupelo_trainer_info(trainer, $0, $1, $2) }
    #expect(json.contains("\"target\":7") && json.contains("\"group_games\":1") && json.contains("\"games\":0"))
    #expect(json.contains("patterns: ") && json.contains("\"warnings\":["))
    #expect(json.contains("\"evaluation\":{\"every_games\":0,\"games\":200,\"plies\":1}"))
    var progress = Self.progress()
    progress.size = 3
    #expect(tupelo_trainer_slice(trainer, 0, 0, 0, &progress) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_trainer_slice(trainer, -1, 0, 0, nil) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_trainer_slice(trainer, 0, -1, 0, nil) == TUPELO_INVALID_ARGUMENT)
  }
}
