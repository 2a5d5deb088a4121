// The package manager wants a source file beside a header; there is no code in C here. The functions are in TupeloC.
#include "tupelo.h"
