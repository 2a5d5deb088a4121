internal import CTupeloAPI
internal import Testing

@Suite struct ObjectsTests {
  @Test func theLibraryNamesItsVersions() {
    #expect(tupelo_abi() == TUPELO_ABI)
    #expect(tupelo_version().map { String(cString: $0) }?.contains(".") == true)
  }

  @Test func handlesThatAreNothingAreRefused() {
    var control: Int64 = 0
    #expect(tupelo_control_create(&control) == TUPELO_OK)
    #expect(tupelo_release(control) == TUPELO_OK)
    #expect(tupelo_release(control) == TUPELO_NO_SUCH_OBJECT)
    #expect(lastError == "handle \(control) is not an object: it was released, or never made")
    for handle in [0, -1, .max, .min] as [Int64] {
      #expect(tupelo_release(handle) == TUPELO_NO_SUCH_OBJECT)
      #expect(tupelo_control_cancel(handle) == TUPELO_NO_SUCH_OBJECT)
      #expect(tupelo_trainer_slice(handle, 1, 1, 0, nil) == TUPELO_NO_SUCH_OBJECT)
      #expect(tupelo_trainer_save(handle, "x") == TUPELO_NO_SUCH_OBJECT)
      #expect(tupelo_run_log(handle, 1, 1, 1, 0, nil, nil) == TUPELO_NO_SUCH_OBJECT)
      #expect(tupelo_model_save(handle, "x", 0, 0, 0) == TUPELO_NO_SUCH_OBJECT)
    }
    var next: Int64 = 0
    #expect(tupelo_control_create(&next) == TUPELO_OK && next > control)
    #expect(tupelo_model_values(next, 0, nil, nil, nil) == TUPELO_NO_SUCH_OBJECT)
    #expect(lastError == "handle \(next) is a control, not a model")
    #expect(tupelo_release(next) == TUPELO_OK)
    #expect(tupelo_control_create(nil) == TUPELO_INVALID_ARGUMENT)
  }

  @Test func errorTextsBelongToTheirThread() {
    #expect(tupelo_release(-5) == TUPELO_NO_SUCH_OBJECT)
    let mine = lastError
    let (before, after) = Background {
      let before = lastError
      _ = tupelo_release(-6)
      return (before, lastError)
    }.wait()
    #expect(mine == "handle -5 is not an object: it was released, or never made")
    #expect(before == "" && after == "handle -6 is not an object: it was released, or never made")
  }
}
