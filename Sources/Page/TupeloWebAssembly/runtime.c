// What compiled Swift asks a C library for: memory, moves and fills of bytes, a few operations on numbers; and what it
// asks tables of Unicode for. The module has one thread.
//
// A block is a power of two of bytes. Small blocks share pages of 64 KiB that hold one size only, so a page's size says
// how to free each of its blocks. Larger blocks are whole pages. Freed blocks of a size make a list and are given
// again.
#include <stddef.h>
#include <stdint.h>

enum { PAGE = 1 << 16, PAGES = 1 << 16, SMALLEST = 4, LARGEST_SMALL = 15, SIZES = 32 };

typedef struct Free {
  struct Free *next;
} Free;

static Free *lists[SIZES];
/// The size of the blocks on each page, as a power of two; 0 for pages that are not ours.
static uint8_t sizes[PAGES];

/// The page throws an error, so that nothing is written where no memory is. It does not use the module again.
__attribute__((import_module("page"), import_name("full"))) void page_full(void);

/// Pages at the end of memory.
static uintptr_t more(size_t pages) {
  size_t before = __builtin_wasm_memory_grow(0, pages);
  if (before == (size_t)-1) page_full();
  return before * PAGE;
}

static unsigned power(size_t size) {
  unsigned result = SMALLEST;
  while (((size_t)1 << result) < size && result < SIZES) result++;
  return result;
}

static void *allocate(unsigned size) {
  if (size >= SIZES) page_full();
  Free *block = lists[size];
  if (block) {
    lists[size] = block->next;
    return block;
  }
  if (size > LARGEST_SMALL) {
    uintptr_t start = more(((size_t)1 << size) / PAGE);
    sizes[start / PAGE] = size;
    return (void *)start;
  }
  uintptr_t page = more(1);
  sizes[page / PAGE] = size;
  for (uintptr_t place = PAGE - ((uintptr_t)1 << size); place > 0; place -= (uintptr_t)1 << size) {
    Free *other = (Free *)(page + place);
    other->next = lists[size];
    lists[size] = other;
  }
  return (void *)page;
}

void free(void *block) {
  if (!block) return;
  unsigned size = sizes[(uintptr_t)block / PAGE];
  ((Free *)block)->next = lists[size];
  lists[size] = block;
}

void *malloc(size_t size) { return allocate(power(size)); }

// A block lies at a multiple of its size, up to a page.
int posix_memalign(void **block, size_t alignment, size_t size) {
  *block = allocate(power(size > alignment ? size : alignment));
  return *block ? 0 : 12;
}

// With `-mbulk-memory` each of these is one instruction.
void *memcpy(void *restrict to, const void *restrict from, size_t count) { return __builtin_memcpy(to, from, count); }
void *memmove(void *to, const void *from, size_t count) { return __builtin_memmove(to, from, count); }
void *memset(void *to, int byte, size_t count) { return __builtin_memset(to, byte, count); }

int memcmp(const void *one, const void *other, size_t count) {
  const uint8_t *a = one, *b = other;
  for (size_t index = 0; index < count; index++) {
    if (a[index] != b[index]) return a[index] - b[index];
  }
  return 0;
}

// The seed of hash tables, which may be known: their keys are the module's own.
void arc4random_buf(void *bytes, size_t count) { __builtin_memset(bytes, 0, count); }

/// The nearest whole number, away from zero when two are as near.
double round(double number) {
  double whole = __builtin_trunc(number);
  return __builtin_fabs(number - whole) >= 0.5 ? whole + __builtin_copysign(1, number) : whole;
}

/// The product of two numbers of 128 bits, from products of 32 bits.
unsigned __int128 __multi3(unsigned __int128 one, unsigned __int128 other) {
  uint64_t a = (uint64_t)one, b = (uint64_t)other;
  uint64_t a0 = (uint32_t)a, a1 = a >> 32, b0 = (uint32_t)b, b1 = b >> 32;
  uint64_t middle = a1 * b0 + (a0 * b0 >> 32);
  uint64_t cross = a0 * b1 + (uint32_t)middle;
  uint64_t high = a1 * b1 + (middle >> 32) + (cross >> 32);
  high += (uint64_t)(one >> 64) * b + a * (uint64_t)(other >> 64);
  return (unsigned __int128)high << 64 | (uint64_t)(cross << 32 | (uint32_t)(a0 * b0));
}

// Unicode. Tables of it would be a sixth of the module. Texts in it are its own, in ASCII, or names that it hands on as
// they are: every scalar is a character, equal to itself alone.
const uint8_t *const _swift_stdlib_nfd_decompositions = 0;
uint8_t _swift_stdlib_getGraphemeBreakProperty(uint32_t scalar) { return (void)scalar, 0xff; }
_Bool _swift_stdlib_isInCB_Consonant(uint32_t scalar) { return (void)scalar, 0; }
_Bool _swift_stdlib_isExtendedPictographic(uint32_t scalar) { return (void)scalar, 0; }
uint16_t _swift_stdlib_getNormData(uint32_t scalar) { return (void)scalar, 0; }
uint32_t _swift_stdlib_getDecompositionEntry(uint32_t scalar) { return (void)scalar, 0; }
uint32_t _swift_stdlib_getComposition(uint32_t one, uint32_t other) { return (void)one, (void)other, UINT32_MAX; }
uint8_t _swift_stdlib_getNumericType(uint32_t scalar) { return (void)scalar, 0xff; }
uint64_t _swift_stdlib_getBinaryProperties(uint32_t scalar) { return (void)scalar, 0; }
