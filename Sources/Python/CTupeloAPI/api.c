// The package manager needs a source file in a module with a header; this module has no code in C. The functions are in
// TupeloC.
#include "tupelo.h"
