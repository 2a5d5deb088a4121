import Foundation

// Runs every sample that a document shows. `.ci/clients` writes the samples, and checks the lines that they print.
for sample in samples {
  print("== \(sample.place)")
  do {
    try await sample.run()
  } catch {
    print("\(sample.place): \(error)")
    exit(1)
  }
}
