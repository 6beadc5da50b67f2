/* The yardstick of gemm-host: the same cblas_dgemm call in a plain loop, with nothing around it.
   cc -O2 tests/perf/gemm_bare.c -o gemm_bare -lopenblas -lm && ./gemm_bare 4096 4096 4096 7
   Prints the median rate of the calls in FLOP/s; the first call is not counted. */
#define _POSIX_C_SOURCE 200809L
#include <cblas.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static double normal(void) {
  const double u = (rand() + 1.0) / (RAND_MAX + 1.0);
  const double v = (rand() + 1.0) / (RAND_MAX + 1.0);
  return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

int main(int argc, char** argv) {
  if (argc != 5) {
    fprintf(stderr, "usage: %s M N K CALLS\n", argv[0]);
    return 2;
  }
  const int m = atoi(argv[1]), n = atoi(argv[2]), k = atoi(argv[3]), calls = atoi(argv[4]);
  if (m < 1 || n < 1 || k < 1 || calls < 1) return 2;
  const size_t as = (size_t)m * (size_t)k, bs = (size_t)k * (size_t)n, cs = (size_t)m * (size_t)n;
  double* a = malloc(as * sizeof *a);
  double* b = malloc(bs * sizeof *b);
  double* c = calloc(cs, sizeof *c);
  double* rates = malloc((size_t)calls * sizeof *rates);
  if (!a || !b || !c || !rates) return 1;
  srand((unsigned)time(NULL));
  for (size_t i = 0; i < as; ++i) a[i] = normal();
  for (size_t i = 0; i < bs; ++i) b[i] = normal();
  for (int call = -1; call < calls; ++call) {
    const double start = now();
    cblas_dgemm(CblasRowMajor, CblasNoTrans, CblasNoTrans, m, n, k, 1.0, a, k, b, n, 0.0, c, n);
    const double seconds = now() - start;
    if (call >= 0) rates[call] = 2.0 * m * n * k / seconds;
  }
  qsort(rates, (size_t)calls, sizeof *rates, ascending);
  printf("%.6e\n", rates[calls / 2]);
  return 0;
}
