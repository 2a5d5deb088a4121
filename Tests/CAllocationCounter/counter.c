#include "CAllocationCounter.h"

#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define SANITIZED 1
#endif
#endif

#if defined(__linux__) && defined(__GLIBC__) && !defined(SANITIZED)
#include <errno.h>
#include <stddef.h>

extern void *__libc_malloc(size_t);
extern void *__libc_calloc(size_t, size_t);
extern void *__libc_realloc(void *, size_t);
extern void *__libc_memalign(size_t, size_t);

// The linker puts these in front of the C library's own, for Swift's runtime as well. Blocks are still the C library's,
// so free() is left alone. The counter lives in the thread's fixed storage, which is there before the first allocation.
static __thread uint64_t count __attribute__((tls_model("initial-exec")));

void *malloc(size_t size) { count++; return __libc_malloc(size); }
void *calloc(size_t number, size_t size) { count++; return __libc_calloc(number, size); }
void *realloc(void *block, size_t size) { count++; return __libc_realloc(block, size); }
void *memalign(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
void *aligned_alloc(size_t alignment, size_t size) { count++; return __libc_memalign(alignment, size); }
int posix_memalign(void **block, size_t alignment, size_t size) {
  count++;
  if (alignment % sizeof(void *) != 0 || alignment == 0 || (alignment & (alignment - 1)) != 0) return EINVAL;
  void *allocated = __libc_memalign(alignment, size);
  if (allocated == NULL) return ENOMEM;
  *block = allocated;
  return 0;
}

int tupelo_counts_allocations(void) { return 1; }
uint64_t tupelo_allocation_count(void) { return count; }
#else
int tupelo_counts_allocations(void) { return 0; }
uint64_t tupelo_allocation_count(void) { return 0; }
#endif
