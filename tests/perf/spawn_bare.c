/* The yardstick of the harness's overhead: posix_spawn of a program, its output read through a
   pipe, and waitpid, again and again. Prints the median seconds of one. cc -O2
   tests/perf/spawn_bare.c -o spawn_bare && ./spawn_bare 100 PROGRAM ARGUMENT... */
#define _GNU_SOURCE
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char** environ;

static double now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static int ascending(const void* a, const void* b) {
  const double x = *(const double*)a, y = *(const double*)b;
  return (x > y) - (x < y);
}

static int once(char** command) {
  int ends[2];
  if (pipe2(ends, O_CLOEXEC) != 0) return 1;
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  posix_spawn_file_actions_adddup2(&actions, ends[1], 1);
  pid_t pid = 0;
  const int error = posix_spawn(&pid, command[0], &actions, NULL, command, environ);
  posix_spawn_file_actions_destroy(&actions);
  close(ends[1]);
  if (error != 0) return 1;
  char buffer[65536];
  while (read(ends[0], buffer, sizeof buffer) > 0) {
  }
  close(ends[0]);
  int status = 0;
  waitpid(pid, &status, 0);
  return status;
}

int main(int argc, char** argv) {
  if (argc < 3 || atoi(argv[1]) < 1) return 2;
  const int count = atoi(argv[1]);
  double* seconds = malloc((size_t)count * sizeof *seconds);
  if (!seconds) return 1;
  for (int i = 0; i < count; ++i) {
    const double begin = now();
    if (once(argv + 2) != 0) return 1;
    seconds[i] = now() - begin;
  }
  qsort(seconds, (size_t)count, sizeof *seconds, ascending);
  printf("%.9f\n", seconds[count / 2]);
  free(seconds);
  return 0;
}
