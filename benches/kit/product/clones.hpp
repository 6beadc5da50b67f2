#pragma once

// RACKPROOF_CLONES before a function: compiled for the vector units of each level of x86-64 too,
// and the one that fits is chosen when the program is loaded. Sanitizers cannot run such choosers.
// On aarch64 the default is compiled for NEON, which every processor has.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && \
    !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)
#define RACKPROOF_CLONES \
  __attribute__((target_clones("arch=x86-64-v4", "arch=x86-64-v3", "default")))
#else
#define RACKPROOF_CLONES
#endif
