#pragma once

namespace rackproof::kit::nccl {

// NCCL is loaded at run time, like cuBLASLt: where it is only in the folder of some other program,
// a bench that were linked with it would not get as far as saying so. The functions of nccl.h that
// the benches call are defined here and hand on to those of the library.

/// Whether it can be loaded and has every function that is used.
bool library_is_here();

/// Throws Unavailable when the library cannot be loaded, or is too old to have every function that
/// is used.
void require_library();

/// A function of the loaded library by its name; null for one that it does not have.
void* find_in_library(const char* name);

}  // namespace rackproof::kit::nccl
