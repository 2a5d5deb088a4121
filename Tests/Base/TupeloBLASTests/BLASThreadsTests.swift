import Testing
import TupeloBLAS
import TupeloBase

#if canImport(Glibc)
import Glibc

/// The process's own number of BLAS threads, asked from the library itself.
@Suite(.serialized) struct BLASThreadsTests {
  /// A function of the library that the process has loaded.
  private static func function<F>(_ name: String, as type: F.Type) throws -> F {
    let address = try #require(dlsym(nil, name), "the library has no \(name)")
    return unsafeBitCast(address, to: type)
  }

  private typealias Get = @convention(c) () -> Int32
  private typealias Set = @convention(c) (Int32) -> Void

  /// The number of threads that the rest of the process has set is in force again after each of our calls.
  @Test func callsPutTheNumberBack() throws {
    let get = try Self.function("openblas_get_num_threads", as: Get.self)
    let set = try Self.function("openblas_set_num_threads", as: Set.self)
    let before = get()
    defer { set(before) }
    for count in [2, 3, 1] as [Int32] {
      set(count)
      let x = [Float](repeating: 1, count: 1000)
      var y = x
      var span = y.mutableSpan
      BLAS.axpy(1, x.span, &span)
      BLAS.scale(0.5, &span)
      #expect(BLAS.norm(x.span) > 31 && get() == count && BLAS.threads == 1)
    }
  }

  /// The kernel that .ci/kernels asks for is the one that computes.
  @Test(.enabled(if: getenv("TUPELO_KERNEL") != nil, "only .ci/kernels asks for a kernel")) func kernel() throws {
    typealias Name = @convention(c) () -> UnsafePointer<CChar>
    let name = try Self.function("openblas_get_corename", as: Name.self)
    let asked = String(cString: try #require(getenv("TUPELO_KERNEL")))
    #expect(String(cString: name()).lowercased() == asked.lowercased())
  }

  /// Our calls use a number of their own: 1 until it is set, and no other code sees it.
  @Test func ownNumber() throws {
    let get = try Self.function("openblas_get_num_threads", as: Get.self)
    let before = get()
    #expect(BLAS.threads == 1)
    BLAS.setThreads(2)
    defer { BLAS.setThreads(1) }
    #expect(BLAS.threads == 2 && get() == before)
  }
}
#endif
