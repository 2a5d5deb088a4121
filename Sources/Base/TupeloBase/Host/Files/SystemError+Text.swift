extension SystemError: CustomStringConvertible {
  /// One line: the file, what is wrong with it, and the remedy. The path is free of control characters.
  public var description: String {
    let (path, problem, remedy) = parts
    return "\(Spelling.printable(path, limit: 4096)): \(problem): \(remedy)"
  }

  private var parts: (path: String, problem: String, remedy: String) {
    switch self {
    case .cannotOpen(let path, let errno):
      (path, "cannot be opened: \(FailedCall.text(errno))", "check the path and its permissions")
    case .cannotMap(let path, let errno):
      (path, "cannot be mapped into memory: \(FailedCall.text(errno))", "copy it to a local disk or free memory")
    case .notARegularFile(let path):
      (path, "is a folder, a pipe or a device", "name a regular file")
    case .cannotCreate(let path, let errno):
      (
        path, "no temporary file can be made beside it: \(FailedCall.text(errno))",
        FailedCall.remedy(ofWriting: errno) ?? "check that the folder exists and is writable"
      )
    case .linked(let path):
      (path, "is a symbolic link, which is not followed here", "remove it, or put the file itself in its place")
    case .cannotAppend(let path, let errno):
      (
        path, "cannot be opened for writing: \(FailedCall.text(errno))",
        FailedCall.remedy(ofWriting: errno) ?? "check its folder and permissions"
      )
    case .cannotWrite(let path, let errno):
      (
        path, "cannot be written: \(FailedCall.text(errno))",
        (FailedCall.remedy(ofWriting: errno) ?? "free space or choose another disk")
          + "; what was there before is untouched"
      )
    case .cannotReplace(let path, let errno):
      (
        path, "cannot be replaced: \(FailedCall.text(errno))",
        "check its permissions and those of its folder; what was there before is untouched"
      )
    case .writtenInPart(let path, let copy, let errno):
      (
        path, "is written only in part: \(FailedCall.text(errno))",
        "copy the whole file over it, from \(Spelling.printable(copy, limit: 4096))"
      )
    case .notDurable(let path, let errno):
      (
        path, "is written, but its folder cannot be synchronised: \(FailedCall.text(errno))",
        "write it again before relying on it after a power failure"
      )
    case .cannotLock(let path, let errno):
      (path, "cannot be locked: \(FailedCall.text(errno))", "check that the folder exists and is writable")
    case .locked(let path, let process):
      (path, "is locked by another owner\(process.map { " (process \($0))" } ?? "")", "wait until it is free")
    }
  }
}
