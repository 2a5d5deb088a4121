extension String {
  /// The folder part of a path: `runs/a` of `runs/a/b`, `.` of a name alone, `/` of what lies at the root.
  ///
  /// Foundation's `deletingLastPathComponent` of a relative path with one letter traps on Linux.
  package var parentFolder: String {
    let path = drop(trailing: "/")
    guard let slash = path.lastIndex(of: "/") else { return path.isEmpty && hasPrefix("/") ? "/" : "." }
    let folder = String(path[..<slash]).drop(trailing: "/")
    return folder.isEmpty ? "/" : String(folder)
  }

  private func drop(trailing character: Character) -> Substring {
    var rest = self[...]
    while rest.last == character { rest.removeLast() }
    return rest
  }
}
