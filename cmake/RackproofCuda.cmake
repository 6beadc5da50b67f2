# The CUDA toolkit and NCCL. Both are optional: without them there are no GPU benches, and each of the
# others is built as before. The harness links neither.
set(cuda_found FALSE)
if(NOT RACKPROOF_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(RACKPROOF_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
                                           /usr/local/cuda/bin)
    mark_as_advanced(RACKPROOF_NVCC)
    if(RACKPROOF_NVCC)
      set(CMAKE_CUDA_COMPILER "${RACKPROOF_NVCC}")
    endif()
  endif()
  # For each generation its own machine code, and intermediate code for those to come; on a machine with
  # a GPU its own alone, which builds five times as fast.
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    if(EXISTS /proc/driver/nvidia/version)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES 80-real 90-real 100-real 103-real 120)
    endif()
  endif()
  include(CheckLanguage)
  check_language(CUDA)
  if(CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    find_package(CUDAToolkit 12.8 QUIET)
    if(CUDAToolkit_FOUND AND TARGET CUDA::cublasLt)
      set(cuda_found TRUE)
    endif()
  endif()
endif()
rackproof_feature(cuda RACKPROOF_CUDA ${cuda_found}
                  "stream-cuda, gemm-cuda, burn-cuda, copy-cuda, collectives-nccl, pairs-nccl")

set(nccl_found FALSE)
if(RACKPROOF_HAS_CUDA AND NOT RACKPROOF_NCCL STREQUAL "OFF")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  if(NCCL_INCLUDE_DIR AND NCCL_LIBRARY)
    set(nccl_found TRUE)
    add_library(NCCL::nccl UNKNOWN IMPORTED)
    set_target_properties(
      NCCL::nccl PROPERTIES IMPORTED_LOCATION "${NCCL_LIBRARY}" INTERFACE_INCLUDE_DIRECTORIES
                                                                "${NCCL_INCLUDE_DIR}")
  endif()
endif()
rackproof_feature(nccl RACKPROOF_NCCL ${nccl_found} "collectives-nccl, pairs-nccl")
