import Foundation

/// Ends the program with a line that says what an app does not get as it should.
func check(_ isTrue: Bool, _ complaint: @autoclosure () -> String) {
  guard !isTrue else { return }
  print("App: \(complaint())")
  exit(1)
}
