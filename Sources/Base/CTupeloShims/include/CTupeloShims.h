// Operations that Swift cannot express: a prefetch, memory advice by the kernel's own constants, atomics that need no
// minimum platform, the processors that a thread may run on, and the current handling of a signal. There is no logic
// here.
//
// WebAssembly has neither a kernel nor threads. A mutex does nothing there, and memory comes from `memory.grow`.
#pragma once
#include <stddef.h>
#include <stdint.h>
#if defined(__wasm__)
typedef int32_t pthread_mutex_t;
#else
#include <pthread.h>
#include <signal.h>
#include <sys/mman.h>
#endif
#if defined(__linux__)
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>
#endif

#define TUPELO_INLINE static inline __attribute__((always_inline))

/// Asks for the cache line at `address`, for a read that a write may follow.
TUPELO_INLINE void tupelo_prefetch(const void *_Nonnull address) { __builtin_prefetch(address, 0, 3); }

/// Relaxed atomic load and store of a float.
TUPELO_INLINE float tupelo_load_float(const float *_Nonnull address) {
  float value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}

TUPELO_INLINE void tupelo_store_float(float *_Nonnull address, float value) {
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

/// Relaxed atomic load and store of eight bytes as a double.
TUPELO_INLINE double tupelo_load_double(const double *_Nonnull address) {
  double value;
  __atomic_load(address, &value, __ATOMIC_RELAXED);
  return value;
}

TUPELO_INLINE void tupelo_store_double(double *_Nonnull address, double value) {
  __atomic_store(address, &value, __ATOMIC_RELAXED);
}

/// Relaxed atomic store of a byte.
TUPELO_INLINE void tupelo_store_u8(uint8_t *_Nonnull address, uint8_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELAXED);
}

/// Adds to a number, with acquire and release ordering. Returns the old value.
TUPELO_INLINE int32_t tupelo_fetch_add(int32_t *_Nonnull address, int32_t amount) {
  return __atomic_fetch_add(address, amount, __ATOMIC_ACQ_REL);
}

/// Sets a number to `desired` if it is `expected`, with acquire and release ordering. Returns the old value.
TUPELO_INLINE int32_t tupelo_compare_exchange(int32_t *_Nonnull address, int32_t expected, int32_t desired) {
  __atomic_compare_exchange_n(address, &expected, desired, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
  return expected;
}

/// Relaxed atomic load of a number.
TUPELO_INLINE int32_t tupelo_load_i32(const int32_t *_Nonnull address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

/// A counter of 64 bits, without ordering. Adding returns the old value.
TUPELO_INLINE int64_t tupelo_load_i64(const int64_t *_Nonnull address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

TUPELO_INLINE int64_t tupelo_fetch_add_i64(int64_t *_Nonnull address, int64_t amount) {
  return __atomic_fetch_add(address, amount, __ATOMIC_RELAXED);
}

TUPELO_INLINE int64_t tupelo_exchange_i64(int64_t *_Nonnull address, int64_t value) {
  return __atomic_exchange_n(address, value, __ATOMIC_RELAXED);
}

/// A mutex at an address that does not change. Each function returns 0, or an errno.
#if defined(__wasm__)
TUPELO_INLINE int tupelo_mutex_begin(pthread_mutex_t *_Nonnull mutex) { return *mutex = 0; }
TUPELO_INLINE int tupelo_mutex_end(pthread_mutex_t *_Nonnull mutex) { return *mutex; }
TUPELO_INLINE int tupelo_mutex_lock(pthread_mutex_t *_Nonnull mutex) { return *mutex; }
TUPELO_INLINE int tupelo_mutex_unlock(pthread_mutex_t *_Nonnull mutex) { return *mutex; }
#else
TUPELO_INLINE int tupelo_mutex_begin(pthread_mutex_t *_Nonnull mutex) { return pthread_mutex_init(mutex, NULL); }
TUPELO_INLINE int tupelo_mutex_end(pthread_mutex_t *_Nonnull mutex) { return pthread_mutex_destroy(mutex); }
TUPELO_INLINE int tupelo_mutex_lock(pthread_mutex_t *_Nonnull mutex) { return pthread_mutex_lock(mutex); }
TUPELO_INLINE int tupelo_mutex_unlock(pthread_mutex_t *_Nonnull mutex) { return pthread_mutex_unlock(mutex); }
#endif

/// Loads of a number, relaxed and with acquire ordering, and a store with release ordering.
TUPELO_INLINE uint32_t tupelo_load_u32(const uint32_t *_Nonnull address) {
  return __atomic_load_n(address, __ATOMIC_RELAXED);
}

TUPELO_INLINE uint32_t tupelo_load_acquire_u32(const uint32_t *_Nonnull address) {
  return __atomic_load_n(address, __ATOMIC_ACQUIRE);
}

TUPELO_INLINE void tupelo_store_release_u32(uint32_t *_Nonnull address, uint32_t value) {
  __atomic_store_n(address, value, __ATOMIC_RELEASE);
}

#if defined(__wasm__)
/// Appends zeroed memory of at least `length` bytes to the memory of the module. Returns its address, or 0 where the
/// browser refuses.
static inline uintptr_t tupelo_more_memory(size_t length) {
  size_t before = __builtin_wasm_memory_grow(0, (length + 0xffff) >> 16);
  return before == (size_t)-1 ? 0 : before << 16;
}

/// Milliseconds since the page was opened, from the browser's clock.
__attribute__((import_module("page"), import_name("now"))) double tupelo_now(void);
#else
/// Asks the kernel for huge pages. Returns 0, or -1 with errno set; 1 if the platform has no such advice.
static inline int tupelo_advise_huge_pages(void *_Nonnull address, size_t length) {
#if defined(MADV_HUGEPAGE)
  return madvise(address, length, MADV_HUGEPAGE);
#else
  (void)address;
  (void)length;
  return 1;
#endif
}

#if defined(__linux__)
/// Whether huge pages are turned off for the process: 0 for no, 1 for yes, other numbers for all memory but advised
/// one.
static inline int tupelo_huge_pages_are_off(void) { return prctl(PR_GET_THP_DISABLE, 0, 0, 0, 0); }

/// The number of processors that this thread may run on, among the first 65,536; 0 if the system does not report it.
///
/// The function uses a system call, because the function of the C library has different signatures in different C
/// libraries.
static inline int tupelo_allowed_processors(void) {
  unsigned long words[65536 / (8 * sizeof(unsigned long))];
  long bytes = syscall(SYS_sched_getaffinity, 0, sizeof words, words);
  int count = 0;
  for (long word = 0; word < bytes / (long)sizeof *words; word++) count += __builtin_popcountl(words[word]);
  return count;
}
#endif

/// Whether the process ignores a signal. For example, a process that was started by nohup ignores SIGHUP.
static inline int tupelo_ignores_signal(int number) {
  struct sigaction action;
  return sigaction(number, NULL, &action) == 0 && action.sa_handler == SIG_IGN;
}
#endif
