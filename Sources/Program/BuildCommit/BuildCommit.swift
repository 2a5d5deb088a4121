import PackagePlugin

/// Gives a target the commit of the sources that it is built from, as `buildCommit`: the full hash, with `+` when
/// tracked files had changes, or nil where there is no repository.
///
/// The commit is read when the target is built, because at run time the repository may have changed or be gone.
@main
struct BuildCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    // The file is written only when its content changes, so that nothing is compiled again.
    let script = """
      commit=nil
      if hash=$(git -C "$1" rev-parse HEAD 2>/dev/null); then
        git -C "$1" diff --quiet HEAD 2>/dev/null || hash="$hash+"
        commit="\\"$hash\\""
      fi
      line="let buildCommit: String? = $commit"
      [ "$(cat "$2" 2>/dev/null)" = "$line" ] || echo "$line" >"$2"
      """
    let folder = context.pluginWorkDirectoryURL
    return [
      .prebuildCommand(
        displayName: "Commit of the sources", executable: .init(filePath: "/bin/sh"),
        arguments: [
          "-c", script, "sh", context.package.directoryURL.path(percentEncoded: false),
          folder.appending(path: "BuildCommit.swift").path(percentEncoded: false),
        ],
        outputFilesDirectory: folder)
    ]
  }
}
