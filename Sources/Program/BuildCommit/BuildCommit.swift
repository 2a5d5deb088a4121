import PackagePlugin

/// Tells a target the commit of the sources it is built from, as `buildCommit`: the full hash, with `+` when tracked
/// files had changes, or nil where there is no repository.
///
/// Asked when the target is built, since at run time the repository may have moved on or be gone.
@main
struct BuildCommit: BuildToolPlugin {
  func createBuildCommands(context: PluginContext, target: any Target) -> [Command] {
    // The file is left alone when it would stay as it is, so that nothing is compiled anew.
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
