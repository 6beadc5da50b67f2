#pragma once

#include <cstddef>

namespace rackproof::cuda_host {

/// The number of devices that CUDA_VISIBLE_DEVICES leaves; it is read once, with the first call of
/// CUDA.
int visible_devices();
/// The physical device of an index; 0 for one that is not there.
int visible_device(int index);
/// True when what is seen is instances of MIG.
bool sees_instances();

/// How much dynamic shared memory a kernel may ask for.
void allow_shared_of(const void* kernel, int bytes);
std::size_t most_shared();

}  // namespace rackproof::cuda_host
