/// The version of the program, the libraries and the Python package. Tests compare the other places that have it.
public let tupeloVersion = "1.0.0"
