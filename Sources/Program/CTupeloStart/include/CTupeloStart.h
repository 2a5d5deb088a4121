// What the program does before libraries are loaded, and what it undoes afterwards.
#pragma once

/// Ends what was set while libraries were loaded. The first call of the program, before it has other threads.
void tupelo_loaded(void);
