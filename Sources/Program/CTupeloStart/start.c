// OpenBLAS starts a thread for each processor while it is loaded, and each of them asks for 128 MB of addresses. Where
// the system refuses one, OpenBLAS ends the process, or asks for ever. The program does not need these threads, because
// training has threads of its own, and no call ends them. OpenBLAS reads OPENBLAS_NUM_THREADS, so this variable is in
// the environment while libraries are loaded. Nobody else sees it, neither the program nor programs that it starts.
#include "CTupeloStart.h"

#include <stdlib.h>
#if defined(__GLIBC__)
#include <malloc.h>
#include <sys/resource.h>

// Sanitizers are not ready when these functions run.
#define EARLY __attribute__((no_sanitize("address", "thread", "undefined"))) static

static char setting[] = "OPENBLAS_NUM_THREADS=1";
// The entry of the environment in whose place the setting stands, and the entry itself. The array has no room for one
// more entry.
static char **place, *hidden;

EARLY int begins(const char *text, const char *name) {
  while (*name && *text == *name) text++, name++;
  return *name == 0;
}

/// Replaces a variable that no library reads while it is loaded. Without any of these, OpenBLAS starts its threads.
EARLY void before_libraries(int count, char **arguments, char **environment) {
  (void)count;
  (void)arguments;
  for (char **entry = environment; *entry; entry++) {
    if (begins(*entry, "OPENBLAS_NUM_THREADS=") || begins(*entry, "OMP_NUM_THREADS=")) return;
    if (begins(*entry, "_=") || begins(*entry, "PWD=") || begins(*entry, "HOME=") || begins(*entry, "PATH="))
      place = entry;
  }
  if (!place) return;
  hidden = *place;
  *place = setting;
}

__attribute__((section(".preinit_array"), used)) static void (*const begin)(int, char **, char **) = before_libraries;

void tupelo_loaded(void) {
  if (place) *place = hidden;
  place = NULL;
  // An arena for each thread reserves 64 MB of addresses. If that fails, malloc maps a page for each object.
  struct rlimit limit;
  if (!getenv("MALLOC_ARENA_MAX") && getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur != RLIM_INFINITY)
    mallopt(M_ARENA_MAX, 1);
}
#else
void tupelo_loaded(void) {}
#endif
