// Counts the allocations of the calling thread, for the test that a move makes none.
#pragma once
#include <stdint.h>

/// True where counting works: on Linux with glibc, whose allocator can be stood in for.
int tupelo_counts_allocations(void);

/// Allocations that the calling thread has made so far.
uint64_t tupelo_allocation_count(void);
