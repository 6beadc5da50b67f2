/* The method of the STREAM benchmark in its plainest form, as a yardstick for stream-host: static
 * arrays, one parallel loop a kernel, the best of REPEATS with the first left out, counted bytes.
 * It prints copy, scale, add and triad in B/s on one line. Build it once per set of compiler flags:
 *   gcc -O3 -march=native -fopenmp -mcmodel=medium -DELEMENTS=80000000 stream_original.c
 */
#include <omp.h>
#include <stdio.h>

#ifndef ELEMENTS
#define ELEMENTS 80000000
#endif
#ifndef REPEATS
#define REPEATS 20
#endif

static double a[ELEMENTS], b[ELEMENTS], c[ELEMENTS];

static double better(double best, double start, int repeat) {
  const double seconds = omp_get_wtime() - start;
  return repeat > 0 && (best == 0 || seconds < best) ? seconds : best;
}

int main(void) {
  const double scalar = 3;
  double best[4] = {0, 0, 0, 0};
#pragma omp parallel for
  for (long i = 0; i < ELEMENTS; ++i) {
    a[i] = 2;
    b[i] = 2;
    c[i] = 0;
  }
  for (int repeat = 0; repeat < REPEATS; ++repeat) {
    double start = omp_get_wtime();
#pragma omp parallel for
    for (long i = 0; i < ELEMENTS; ++i) c[i] = a[i];
    best[0] = better(best[0], start, repeat);

    start = omp_get_wtime();
#pragma omp parallel for
    for (long i = 0; i < ELEMENTS; ++i) b[i] = scalar * c[i];
    best[1] = better(best[1], start, repeat);

    start = omp_get_wtime();
#pragma omp parallel for
    for (long i = 0; i < ELEMENTS; ++i) c[i] = a[i] + b[i];
    best[2] = better(best[2], start, repeat);

    start = omp_get_wtime();
#pragma omp parallel for
    for (long i = 0; i < ELEMENTS; ++i) a[i] = b[i] + scalar * c[i];
    best[3] = better(best[3], start, repeat);
  }
  /* The values are known: reading some of them keeps the compiler from dropping the loops. */
  double expected = 2;
  for (int repeat = 0; repeat < REPEATS; ++repeat) expected *= 15;
  const double off = a[ELEMENTS / 2] / expected - 1;
  if (off > 1e-10 || off < -1e-10) {
    fprintf(stderr, "stream_original: wrong answer\n");
    return 4;
  }
  const double words[4] = {2, 2, 3, 3};
  for (int kernel = 0; kernel < 4; ++kernel) {
    printf("%.6g%c", words[kernel] * sizeof(double) * ELEMENTS / best[kernel],
           kernel == 3 ? '\n' : ' ');
  }
  return 0;
}
