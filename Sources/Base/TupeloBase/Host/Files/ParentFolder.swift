extension String {
  /// The folder part of a path: `runs/a` for `runs/a/b`, `.` for a name alone, `/` for an entry of the root folder.
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
