// What Swift cannot say: a prefetch, and memory advice by the kernel's own constants. No logic lives here.
#pragma once
#include <stddef.h>
#include <sys/mman.h>

/// Asks for the cache line at `address`, for a read that a write may follow.
static inline __attribute__((always_inline)) void tupelo_prefetch(const void *_Nonnull address) {
  __builtin_prefetch(address, 0, 3);
}

/// Asks the kernel for huge pages. Returns 0, or -1 with errno set; 1 where the platform has no such advice.
static inline int tupelo_advise_huge_pages(void *_Nonnull address, size_t length) {
#if defined(MADV_HUGEPAGE)
  return madvise(address, length, MADV_HUGEPAGE);
#else
  (void)address;
  (void)length;
  return 1;
#endif
}
