/// The version of the program and its libraries.
public let tupeloVersion = "0.2.0"
