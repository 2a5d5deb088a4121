/// The version of the program and its libraries.
public let tupeloVersion = "0.1.0"
