import Testing
import TupeloEngine
import TupeloNetwork
import TupeloWeb

/// The example of the module's README.
@Suite struct WebReadmeTests {
  @Test func example() async throws {
    let network = try NTupleNetwork(.named("17x4"))
    let service = WebService(agents: [.searching(network, name: "network", title: "17x4"), .random])
    let request = try WebRequest(method: "GET", target: "/analyze?board=1200000000000000&plies=1")
    let response = await service.respond(to: request)
    print(response.status, String(decoding: response.body, as: UTF8.self))
    let server = WebServer(service, port: 0)
    let task = Task { try await server.run(ready: { port in print("http://127.0.0.1:\(port)/") }) }
    task.cancel()
    _ = await task.result
    #expect(response.status == 200)
  }
}
