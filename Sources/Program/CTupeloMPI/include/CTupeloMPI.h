// Calls of MPI that Swift cannot write, because MPI's handles are macros over structures. This file contains no logic.
// Without the package trait MPI the functions are declared but not defined, and nothing calls them.
#pragma once
#include <stddef.h>

/// Starts MPI. Calls may come from any thread, one at a time. Returns 0, or MPI's error.
int tupelo_mpi_begin(void);
/// Ends MPI. Returns 0, or MPI's error.
int tupelo_mpi_end(void);
/// Ends all processes of the job with an exit code.
void tupelo_mpi_abort(int code);

int tupelo_mpi_rank(void);
int tupelo_mpi_size(void);
/// The number of ranks that share memory with this one, on its machine; below 1 if MPI does not give the number.
int tupelo_mpi_local_size(void);

/// Collects bytes from all ranks on all ranks: `counts[r]` bytes from rank r at `all + places[r]`. While it waits, the
/// process sleeps. Returns 0, or MPI's error.
int tupelo_mpi_gather(
    const void *_Nullable part, int count, void *_Nullable all, const int *_Nonnull counts,
    const int *_Nonnull places);

/// Sends bytes from each rank to each rank. While it waits, the process sleeps. Returns 0, or MPI's error.
int tupelo_mpi_exchange(
    const void *_Nullable parts, const int *_Nonnull counts, const int *_Nonnull places, void *_Nullable received,
    const int *_Nonnull received_counts, const int *_Nonnull received_places);
