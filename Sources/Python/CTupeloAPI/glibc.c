// The library of a wheel runs on Linux with glibc 2.34, such as Red Hat Enterprise Linux 9. A build with a newer glibc
// asks for a newer one because of three functions that Foundation and the library of C++ use. These functions stand in
// front of them.
#if defined(TUPELO_WITHOUT_LOCALES) && defined(__linux__)
#include <math.h>
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
