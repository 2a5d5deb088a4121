import Foundation

/// Ends the program with a line about the failed check.
func check(_ isTrue: Bool, _ complaint: @autoclosure () -> String) {
  guard !isTrue else { return }
  print("App: \(complaint())")
  exit(1)
}
