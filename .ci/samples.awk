# Collects the Swift samples of documents. First come the test files of the package, then the documents.
#
# A sample begins with its imports. One that imports products alone becomes a function in a file of its own in `folder`,
# as it stands and at the same line as in the document. A comment `  // TEXT` after a `print` says what is printed;
# `expected` lists these texts. A sample that imports a module without a product cannot be compiled by a client: each of
# its lines must stand in a test.

function trimmed(text) {
  gsub(/^[ \t]+|[ \t]+$/, "", text)
  return text
}

function fail(text) {
  print "samples: " text > "/dev/stderr"
  failed = 1
}

function finish(    i, words, imports, outside, hidden, place, name, file) {
  place = FILENAME ":" first
  for (i = 1; i <= count; i++) {
    if (line[i] !~ /^import /) continue
    split(line[i], words, " ")
    if (words[2] in product) outside = 1
    else if (words[2] in module) hidden = 1
    imports = imports line[i] "; "
    line[i] = ""
  }
  if (hidden) {
    inside++
    for (i = 1; i <= count; i++) {
      if (trimmed(line[i]) != "" && !(trimmed(line[i]) in tested))
        fail(FILENAME ":" first + i - 1 ": no client can compile this line, and no test has it: " trimmed(line[i]))
    }
    return
  }
  if (!outside) {
    fail(place ": the sample imports neither a product nor a module: begin it with its imports")
    return
  }
  name = sprintf("sample%02d", ++samples)
  file = FILENAME "-" first ".swift"
  gsub("/", "-", file)
  file = folder "/" file
  print imports > file
  for (i = 2; i < first - 1; i++) print "" > file
  print "func " name "() async throws {" > file
  print "== " place > expected
  for (i = 1; i <= count; i++) {
    print line[i] > file
    if (sub(/^.*print\(.*\)  \/\/ /, "", line[i])) print line[i] > expected
  }
  print "}" > file
  close(file)
  list = list sprintf("  (\"%s\", %s),\n", place, name)
}

BEGIN {
  split(products, names, " ")
  for (i in names) product[names[i]]
  split(modules, names, " ")
  for (i in names) module[names[i]]
}

FILENAME ~ /\.swift$/ {
  tested[trimmed($0)]
  next
}

FNR == 1 {
  if (isOpen) fail(document ": a fence is not closed")
  isOpen = 0
  document = FILENAME
}

/^ *```/ {
  if (isOpen && isSwift) finish()
  isOpen = !isOpen
  isSwift = /^ *```swift/
  indent = match($0, /`/) - 1
  first = FNR + 1
  count = 0
  next
}

isOpen { line[++count] = substr($0, indent + 1) }

END {
  if (isOpen) fail(document ": a fence is not closed")
  if (failed) exit 1
  file = folder "/samples.swift"
  printf "let samples: [(place: String, run: @Sendable () async throws -> Void)] = [\n%s]\n", list > file
  print samples + 0 " samples for users of the package, " inside + 0 " of modules without a product"
}
