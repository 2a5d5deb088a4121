#include "CTupeloMPI.h"

#ifdef TUPELO_MPI
#include <mpi.h>
#include <time.h>

int tupelo_mpi_begin(void) {
  int provided = 0;
  int error = MPI_Init_thread(NULL, NULL, MPI_THREAD_SERIALIZED, &provided);
  if (error != MPI_SUCCESS) return error;
  return provided < MPI_THREAD_FUNNELED ? MPI_ERR_OTHER : MPI_SUCCESS;
}

int tupelo_mpi_end(void) { return MPI_Finalize(); }

void tupelo_mpi_abort(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

int tupelo_mpi_rank(void) {
  int rank = 0;
  return MPI_Comm_rank(MPI_COMM_WORLD, &rank) == MPI_SUCCESS ? rank : -1;
}

int tupelo_mpi_size(void) {
  int size = 0;
  return MPI_Comm_size(MPI_COMM_WORLD, &size) == MPI_SUCCESS ? size : -1;
}

int tupelo_mpi_local_size(void) {
  MPI_Comm local;
  int size = 0;
  if (MPI_Comm_split_type(MPI_COMM_WORLD, MPI_COMM_TYPE_SHARED, 0, MPI_INFO_NULL, &local) != MPI_SUCCESS) return -1;
  if (MPI_Comm_size(local, &size) != MPI_SUCCESS) size = -1;
  MPI_Comm_free(&local);
  return size;
}

// MPI's own waiting keeps a core busy. So this program sleeps between two tests. Sleeps begin short and grow to about a
// tenth of a millisecond, because each test also moves a part of the data. After a second or two, when the wait is a
// long one, they grow to a millisecond.
static int wait_for(MPI_Request *request) {
  long nanoseconds = 5000;
  for (long tests = 0;; tests++) {
    int done = 0;
    int error = MPI_Test(request, &done, MPI_STATUS_IGNORE);
    if (error != MPI_SUCCESS || done) return error;
    struct timespec pause = {0, nanoseconds};
    nanosleep(&pause, NULL);
    if (nanoseconds < (tests < 10000 ? 100000 : 1000000)) nanoseconds += nanoseconds / 2;
  }
}

int tupelo_mpi_gather(const void *part, int count, void *all, const int *counts, const int *places) {
  MPI_Request request;
  int error =
      MPI_Iallgatherv(part, count, MPI_BYTE, all, counts, places, MPI_BYTE, MPI_COMM_WORLD, &request);
  return error == MPI_SUCCESS ? wait_for(&request) : error;
}

int tupelo_mpi_exchange(
    const void *parts, const int *counts, const int *places, void *received, const int *received_counts,
    const int *received_places) {
  MPI_Request request;
  int error = MPI_Ialltoallv(
      parts, counts, places, MPI_BYTE, received, received_counts, received_places, MPI_BYTE, MPI_COMM_WORLD, &request);
  return error == MPI_SUCCESS ? wait_for(&request) : error;
}
#endif
