// Counts the allocations of the calling thread, for the test that a move makes none.
#pragma once
#include <stdint.h>

/// True where counting works: on Linux with glibc, whose allocator can be stood in for, and without a sanitizer, which
/// stands in for it itself.
int tupelo_counts_allocations(void);

/// Allocations that the calling thread has made so far. Other threads do not matter: the difference between two calls
/// is what the caller did in between.
uint64_t tupelo_allocation_count(void);
