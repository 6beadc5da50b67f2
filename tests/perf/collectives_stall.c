// Stops the last rank for 50 ms in every thousandth MPI_Allreduce, to see what that does to the numbers
// of a bench. Build it with mpicc -shared -fPIC and have the ranks load it: LD_PRELOAD.
#include <mpi.h>
#include <time.h>

int MPI_Allreduce(const void* in, void* out, int count, MPI_Datatype type, MPI_Op op, MPI_Comm group) {
  static long calls = 0;
  int rank, size;
  MPI_Comm_rank(group, &rank);
  MPI_Comm_size(group, &size);
  if (rank == size - 1 && ++calls % 1000 == 0) {
    const struct timespec pause = {0, 50000000};
    nanosleep(&pause, NULL);
  }
  return PMPI_Allreduce(in, out, count, type, op, group);
}
