#pragma once

/// Before a function: compiled for the device too where nvcc reads it, so that unit tests on a
/// machine without a GPU try the arithmetic that the kernels use.
#if defined(__CUDACC__)
#define RACKPROOF_HD __host__ __device__
#else
#define RACKPROOF_HD
#endif
