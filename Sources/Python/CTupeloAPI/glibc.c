// The wheel runs with glibc 2.34, which Red Hat Enterprise Linux 9 has. Foundation and the library of C++ use three
// functions that are new in later versions: the linker takes the functions below instead. Wheels are built with the
// package trait WithoutLocales.
#if defined(TUPELO_WITHOUT_LOCALES) && defined(__linux__)
#include <math.h>
#endif
#if defined(TUPELO_WITHOUT_LOCALES) && defined(__GLIBC__)
#include <stdint.h>
#include <sys/random.h>

#if defined(__x86_64__)
#define OLD_VERSION "GLIBC_2.2.5"
#else
#define OLD_VERSION "GLIBC_2.17"
#endif

// The versions before glibc 2.35 also set `errno`.
__asm__(".symver old_hypot, hypot@" OLD_VERSION);
__asm__(".symver old_hypotf, hypotf@" OLD_VERSION);
double old_hypot(double x, double y);
float old_hypotf(float x, float y);
double hypot(double x, double y) { return old_hypot(x, y); }
float hypotf(float x, float y) { return old_hypotf(x, y); }

// New in glibc 2.36.
uint32_t arc4random(void) {
  uint32_t word = 0;
  while (getrandom(&word, sizeof word, 0) != sizeof word) continue;
  return word;
}
#endif
