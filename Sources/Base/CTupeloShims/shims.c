// The package manager wants one source file per C target; everything is inline in the header.
#include "CTupeloShims.h"
