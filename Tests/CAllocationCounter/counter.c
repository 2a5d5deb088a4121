#include "CAllocationCounter.h"

#if defined(__linux__) && defined(__GLIBC__)
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// The linker puts these in front of the C library's own, for Swift's runtime as well.
static __thread uint64_t count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { count++; return __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  *block = __libc_memalign(alignment, size);
  return *block == NULL ? ENOMEM : 0;
}

int tupelo_counts_allocations(void) { return 1; }
uint64_t tupelo_allocation_count(void) { return count; }
#else
int tupelo_counts_allocations(void) { return 0; }
uint64_t tupelo_allocation_count(void) { return 0; }
#endif
