internal import CTupeloAPI
internal import TestSupport
internal import Testing
internal import TupeloEngine
internal import TupeloNetwork
internal import TupeloTraining

@Suite struct ModelTests {
  @Test(arguments: [
    smallNetwork, "network: {patterns: \"012 014\", dense: {hidden: [8], embedding: 7}}\nlearner: {batch: 8}\n",
  ])
  func valuesAreThoseOfTheModelInItsFile(yaml: String) throws {
    let model = try makeModel(yaml, games: 60)
    defer { _ = tupelo_release(model) }
    let file = TemporaryFile.path("model.safetensors")
    defer { TemporaryFile.remove(file) }
    #expect(tupelo_model_save(model, file, Int32(TUPELO_FORMAT_F32), 0, 0) == 0)
    let own = try TrainedModel(path: file, of: allGames).board(path: file)
    var positions = RandomPositions(seed: 3)
    let boards = try (0..<700).map { _ in
      try Board(exponents: positions.matrix(largest: 17).flatMap { $0 })
    }
    let (bits, overflow) = (boards.map(\.bits), boards.map(\.overflow))

    func value(_ grid: Afterstate) -> Float { own.value(of: grid) }
    var values = [Float](repeating: 0, count: 700)
    #expect(tupelo_model_values(model, 700, bits, overflow, &values) == 0)
    #expect(values == boards.map { value(Afterstate(bits: $0.bits, overflow: $0.overflow)) })
    #expect(Set(values).count > 100)

    var moveValues = [Float](repeating: 0, count: 2800)
    var best = [Int8](repeating: 9, count: 700)
    #expect(tupelo_model_move_values(model, 700, bits, overflow, &moveValues, &best) == 0)
    for (index, board) in boards.enumerated() {
      var largest: (move: Int8, value: Float) = (-1, -.infinity)
      for move in Move.allCases {
        let moved = ReferenceBoard(board).moved(move)
        let found = moveValues[4 * index + move.rawValue]
        guard let moved else {
          #expect(found.isNaN)
          continue
        }
        #expect(found == Float(moved.reward) + value(moved.board.engineAfterstate))
        if found > largest.value { largest = (Int8(move.rawValue), found) }
      }
      #expect(best[index] == largest.move)
    }
  }

  @Test func modelsAreWrittenInEachFormatAndReadAgain() throws {
    let model = try makeModel(smallNetwork, games: 50)
    defer { _ = tupelo_release(model) }
    let folder = try TemporaryFolder()
    for format in [TUPELO_FORMAT_F32, TUPELO_FORMAT_F16, TUPELO_FORMAT_COMPACT] {
      let path = folder.file("\(format).safetensors")
      #expect(tupelo_model_save(model, path, Int32(format), 0, 0) == 0)
      var again: Int64 = 0
      #expect(tupelo_model_load(path, &again) == 0)
      defer { _ = tupelo_release(again) }
      #expect(try (identity(of: model) == identity(of: again)) == (format == TUPELO_FORMAT_F32))
    }
    #expect(tupelo_model_save(model, folder.file("x"), 3, 0, 0) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_model_save(model, folder.file("x"), 0, 1, 0) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_model_save(model, folder.file("x"), 2, .nan, 0) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_model_save(model, folder.path + "/none/x", 0, 0, 0) == TUPELO_BAD_FILE)
    #expect(lastError.contains(folder.path + "/none/x"))
    #expect(try folder.names.count == 3)
  }

  /// The bytes of an object of bytes.
  private func content(_ handle: Int64) -> [UInt8] {
    var length: UInt64 = 0
    var bytes: [UInt8] = []
    let status = tupelo_bytes_read(handle, nil, 0, &length)
    #expect(Int(status) == (length == 0 ? TUPELO_OK : TUPELO_TOO_SMALL))
    bytes = [UInt8](repeating: 0, count: Int(length))
    #expect(tupelo_bytes_read(handle, &bytes, length, &length) == TUPELO_OK)
    return bytes
  }

  @Test func modelsInMemoryAreThoseOfFiles() throws {
    let folder = try TemporaryFolder()
    var models = [try makeModel(smallNetwork, games: 50)]
    models.append(try makeModel("network: {patterns: \"012\", dense: {hidden: [8], embedding: 7}}\n", games: 9))
    var set: Int64 = 0
    #expect(tupelo_model_load(Repository.file("models/set"), &set) == 0)
    models.append(set)
    for model in models {
      for format in [TUPELO_FORMAT_F32, TUPELO_FORMAT_F16, TUPELO_FORMAT_COMPACT] {
        let path = folder.file("\(format).safetensors")
        #expect(tupelo_model_save(model, path, Int32(format), 0, 0) == 0)
        var handle: Int64 = 0
        #expect(tupelo_model_bytes(model, Int32(format), 0, 0, &handle) == 0)
        let bytes = content(handle)
        #expect(try bytes == TestSupport.bytes(ofFile: path))
        #expect(tupelo_release(handle) == 0)
        var (again, loaded): (Int64, Int64) = (0, 0)
        #expect(tupelo_model_from_bytes(bytes, UInt64(bytes.count), &again) == 0)
        #expect(tupelo_model_load(path, &loaded) == 0)
        #expect(try identity(of: again) == identity(of: loaded))
        #expect(tupelo_model_from_bytes(bytes, UInt64(bytes.count - 1), &again) == TUPELO_BAD_FILE)
        for object in [again, loaded] { _ = tupelo_release(object) }
      }
      _ = tupelo_release(model)
    }
    var model: Int64 = -3
    #expect(tupelo_model_from_bytes(nil, 5, &model) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_model_from_bytes(nil, 0, &model) == TUPELO_BAD_FILE && model == -3)
  }

  @Test func tablesComeBack() throws {
    let model = try makeModel(smallNetwork, games: 50)
    defer { _ = tupelo_release(model) }
    var (one, other) = ([Float](repeating: -1, count: 65_536), [Float](repeating: -1, count: 65_536))
    let status = one.withUnsafeMutableBufferPointer { first in
      other.withUnsafeMutableBufferPointer { second in
        tupelo_model_tables(model, [first.baseAddress, second.baseAddress], 2)
      }
    }
    let tables = [one, other]
    #expect(Int(status) == TUPELO_OK)
    // The entry of an empty board, and that of a 4 in the first cell of each pattern.
    var again: Int64 = 0
    let made = tables[0].withUnsafeBufferPointer { first in
      tables[1].withUnsafeBufferPointer { second in
        tupelo_model_from_tables("4x4 shared 0145 0123", [first.baseAddress, second.baseAddress], 2, &again)
      }
    }
    #expect(Int(made) == TUPELO_OK, "\(lastError)")
    #expect(try identity(of: again) == identity(of: model))
    #expect(tupelo_model_tables(model, [nil, nil], 2) == TUPELO_INVALID_ARGUMENT)
    #expect(tupelo_model_tables(model, [nil], 1) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError.contains("give 2"))
    #expect(tupelo_model_from_tables("4x4 shared 01x", [nil], 1, &again) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError.hasPrefix("structure is"))
    _ = tupelo_release(again)
  }

  @Test func aCancelledCallWritesNoFile() throws {
    let model = try makeModel(smallNetwork, games: 5)
    defer { _ = tupelo_release(model) }
    let folder = try TemporaryFolder()
    var (control, bytes): (Int64, Int64) = (0, 0)
    #expect(tupelo_control_create(&control) == 0 && tupelo_control_cancel(control) == 0)
    #expect(tupelo_control_use(control) == 0)
    for format in [TUPELO_FORMAT_F32, TUPELO_FORMAT_F16, TUPELO_FORMAT_COMPACT] {
      #expect(tupelo_model_save(model, folder.file("x"), Int32(format), 0, 0) == TUPELO_CANCELLED)
      #expect(tupelo_model_bytes(model, Int32(format), 0, 0, &bytes) == TUPELO_CANCELLED)
    }
    let trainer = try makeTrainer(smallNetwork)
    #expect(tupelo_trainer_save(trainer, folder.file("y")) == TUPELO_CANCELLED)
    let memory = GameMemory(3)
    #expect(memory.reset(seeds: [1, 2, 3]) == TUPELO_OK)
    #expect(tupelo_games_random_steps(&memory.games, 1_000_000_000, 1, nil, nil) == TUPELO_CANCELLED)
    #expect(try folder.names.isEmpty)
    #expect(tupelo_control_use(0) == 0)
    #expect(tupelo_trainer_save(trainer, folder.file("y")) == TUPELO_OK)
    #expect(tupelo_control_use(trainer) == TUPELO_NO_SUCH_OBJECT)
    #expect(tupelo_release(trainer) == 0 && tupelo_release(control) == 0)
  }

  @Test func aModelSaysWhatItIs() throws {
    let model = try makeModel(smallNetwork, games: 1)
    defer { _ = tupelo_release(model) }
    let json = text { tupelo_model_info(model, $0, $1, $2) }
    #expect(json.contains("\"game\":\"2048\"") && json.contains("\"kind\":\"tuples\""))
    #expect(json.contains("\"rows\":4") && json.contains("\"weights\":131072"))
    var length: UInt64 = 0
    var buffer = [CChar](repeating: 7, count: 10)
    #expect(tupelo_model_info(model, &buffer, 10, &length) == TUPELO_TOO_SMALL)
    #expect(Int(length) == json.utf8.count && buffer == [CChar](repeating: 7, count: 10))
  }

  /// The description does not read the weights. Their hash has a function of its own, also for a model of Set.
  @Test func theIdentityIsThatOfTheModelInItsFile() throws {
    let folder = try TemporaryFolder()
    let trained = try makeModel(smallNetwork, games: 20)
    defer { _ = tupelo_release(trained) }
    #expect(tupelo_model_save(trained, folder.file("model.safetensors"), Int32(TUPELO_FORMAT_F32), 0, 0) == 0)
    for path in [folder.file("model.safetensors"), Repository.file("models/set")] {
      var model: Int64 = 0
      try #require(tupelo_model_load(path, &model) == 0, "\(lastError)")
      defer { _ = tupelo_release(model) }
      let expected = try TrainedModel(path: path, of: allGames).identity
      #expect(!text { tupelo_model_info(model, $0, $1, $2) }.contains(expected))
      for _ in 0..<2 { #expect(try identity(of: model) == expected) }
    }
    var length: UInt64 = 0
    #expect(tupelo_model_identity(0, nil, 0, &length) == TUPELO_NO_SUCH_OBJECT)
  }

  @Test func modelsOfSetAreKnownAndHaveNoBoards() throws {
    var model: Int64 = 0
    #expect(tupelo_model_load(Repository.file("models/set"), &model) == 0)
    defer { _ = tupelo_release(model) }
    #expect(text { tupelo_model_info(model, $0, $1, $2) }.contains("\"kind\":\"set\""))
    var values: [Float] = [0]
    #expect(tupelo_model_values(model, 1, [0], nil, &values) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError.contains("a model of Set"))
  }

  @Test func filesThatAreNoModelsAreRefused() throws {
    let folder = try TemporaryFolder()
    try write([1, 2, 3], toFile: folder.file("broken.safetensors"))
    var model: Int64 = -3
    for path in [folder.file("none"), folder.file("broken.safetensors"), folder.path] {
      #expect(tupelo_model_load(path, &model) == TUPELO_BAD_FILE)
      #expect(lastError.contains(path))
    }
    #expect(tupelo_model_load([CChar(truncatingIfNeeded: 0xff), 0], &model) == TUPELO_INVALID_ARGUMENT)
    #expect(lastError == "path is not UTF-8 text")
    #expect(tupelo_model_load(nil, &model) == TUPELO_INVALID_ARGUMENT)
    #expect(model == -3)
  }
}
