// A library that misbehaves while it is loaded, by STUBBORN_LIBRARY: it hangs, as OpenBLAS does
// where it gets no memory for its threads, crashes, or chatters. Without that it loads.
#include <unistd.h>

#include <cstdio>
#include <cstdlib>
#include <string>

namespace {

__attribute__((constructor)) void be_loaded() {
  const char* const mode = std::getenv("STUBBORN_LIBRARY");
  const std::string how = mode == nullptr ? "" : mode;
  while (how == "hang") sleep(1);
  if (how == "crash") std::abort();
  if (how == "chatter") std::puts("loading, please wait");
}

}  // namespace

extern "C" const char* openblas_get_config() { return "Stubborn 1.0"; }
