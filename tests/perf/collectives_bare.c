// A bare loop of an MPI collective, timed as collectives-mpi times it: each call by itself, the
// longest of any rank for each iteration, the middle of those. One input, one output, no check. It is
// what collectives-mpi is compared with; see compare_collectives.py.
//
//   mpirun -n 2 collectives_bare OPERATION BYTES ITERATIONS [BYTES ITERATIONS ...]
//
// prints a line for each size: operation, bytes, mean of the middle half and mean of all, in seconds.
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static double now_seconds(void) {
  struct timespec now;
  clock_gettime(CLOCK_MONOTONIC, &now);
  return (double)(now.tv_sec % 100000) + (double)now.tv_nsec * 1e-9;
}

static int by_value(const void* a, const void* b) {
  const double x = *(const double*)a;
  const double y = *(const double*)b;
  return (x > y) - (x < y);
}

// The mean of the middle half of a sorted series: as deaf to outliers as the median, and not tied to
// the steps of the clock, which are several per cent of the shortest operations.
static double middle_mean(const double* sorted, int n) {
  const int from = n / 4;
  const int to = n - from;
  double total = 0;
  for (int i = from; i < to; ++i) total += sorted[i];
  return total / (to - from);
}

enum operation { kAllReduce, kAllGather, kAllToAll };

static void call(enum operation operation, const void* in, void* out, int count) {
  switch (operation) {
    case kAllReduce:
      MPI_Allreduce(in, out, count, MPI_FLOAT, MPI_SUM, MPI_COMM_WORLD);
      break;
    case kAllGather:
      MPI_Allgather(in, count, MPI_FLOAT, out, count, MPI_FLOAT, MPI_COMM_WORLD);
      break;
    case kAllToAll:
      MPI_Alltoall(in, count, MPI_FLOAT, out, count, MPI_FLOAT, MPI_COMM_WORLD);
      break;
  }
}

static void measure(enum operation operation, const char* name, size_t bytes, int iterations) {
  int rank, size;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &size);
  const size_t blocks = operation == kAllReduce ? 1 : (size_t)size;
  const int count = (int)(bytes / 4 / blocks);
  float* in = aligned_alloc(2 << 20, (bytes + (2 << 20)) & ~(size_t)((2 << 20) - 1));
  float* out = aligned_alloc(2 << 20, (bytes + (2 << 20)) & ~(size_t)((2 << 20) - 1));
  double* seconds = malloc((size_t)iterations * sizeof(double));
  for (size_t i = 0; i < bytes / 4; ++i) in[i] = (float)(i % 1000) * 0.5F;
  memset(out, 0, bytes);
  memset(seconds, 0, (size_t)iterations * sizeof(double));
  MPI_Barrier(MPI_COMM_WORLD);
  for (int i = 0; i < 20; ++i) call(operation, in, out, count);
  for (int i = 0; i < iterations; ++i) {
    const double start = now_seconds();
    call(operation, in, out, count);
    seconds[i] = now_seconds() - start;
  }
  MPI_Allreduce(MPI_IN_PLACE, seconds, iterations, MPI_DOUBLE, MPI_MAX, MPI_COMM_WORLD);
  double total = 0;
  for (int i = 0; i < iterations; ++i) total += seconds[i];
  qsort(seconds, (size_t)iterations, sizeof(double), by_value);
  if (rank == 0) {
    printf("%s %zu %.10f %.10f\n", name, bytes, middle_mean(seconds, iterations), total / iterations);
  }
  free(in);
  free(out);
  free(seconds);
}

int main(int argc, char** argv) {
  MPI_Init(&argc, &argv);
  if (argc < 4 || argc % 2 != 0) {
    fprintf(stderr, "usage: collectives_bare OPERATION BYTES ITERATIONS [BYTES ITERATIONS ...]\n");
    MPI_Abort(MPI_COMM_WORLD, 2);
  }
  enum operation operation = kAllReduce;
  if (strcmp(argv[1], "all_gather") == 0) operation = kAllGather;
  if (strcmp(argv[1], "alltoall") == 0) operation = kAllToAll;
  for (int i = 2; i + 1 < argc; i += 2) {
    measure(operation, argv[1], strtoull(argv[i], NULL, 10), atoi(argv[i + 1]));
  }
  MPI_Finalize();
  return 0;
}
