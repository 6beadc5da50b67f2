# The CUDA toolkit and NCCL. Both are optional: without them there are no GPU benches, and each of the
# others is built as before. The harness links neither.
set(cuda_found FALSE)
set(RACKPROOF_CUDA_HOST FALSE)
if(RACKPROOF_CUDA STREQUAL "HOST")
  # The toolkit's headers alone: kernels become C++ and run on the processors of this host, for tests. Nothing that
  # is built so measures a GPU.
  if(NOT TARGET CUDA::nvToolsExt)
    add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
  endif()
  find_package(CUDAToolkit 12.8 REQUIRED)
  find_package(Boost 1.74 REQUIRED COMPONENTS context)
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS} REQUIRED)
  if(NOT RACKPROOF_HAS_BLAS)
    message(FATAL_ERROR "RACKPROOF_CUDA=HOST multiplies matrices with CBLAS, which was not found")
  endif()
  set(RACKPROOF_CUDA_HOST TRUE)
  set(cuda_found TRUE)
elseif(NOT RACKPROOF_CUDA STREQUAL "OFF")
  if(NOT CMAKE_CUDA_COMPILER)
    find_program(RACKPROOF_NVCC nvcc HINTS "$ENV{CUDA_HOME}/bin" "$ENV{CUDA_PATH}/bin"
                                           /usr/local/cuda/bin)
    mark_as_advanced(RACKPROOF_NVCC)
    if(RACKPROOF_NVCC)
      set(CMAKE_CUDA_COMPILER "${RACKPROOF_NVCC}")
    endif()
  endif()
  # For each generation its own machine code, and intermediate code for those to come; on a machine with
  # a GPU its own alone, which builds in a third of the time, unless it is for other machines.
  set(every_generation 80-real 90-real 100-real 103-real 120)
  if(NOT CMAKE_CUDA_ARCHITECTURES)
    if(EXISTS /proc/driver/nvidia/version AND NOT RACKPROOF_SYSROOT)
      set(CMAKE_CUDA_ARCHITECTURES native)
    else()
      set(CMAKE_CUDA_ARCHITECTURES ${every_generation})
    endif()
  endif()
  # For another processor the toolkit needs that target's libraries.
  set(cuda_fits TRUE)
  if(CMAKE_CROSSCOMPILING)
    get_filename_component(toolkit "${CMAKE_CUDA_COMPILER}" REALPATH)
    get_filename_component(toolkit "${toolkit}/../.." ABSOLUTE)
    if(EXISTS "${toolkit}/targets/sbsa-linux" AND CMAKE_SYSTEM_PROCESSOR STREQUAL "aarch64")
      string(APPEND CMAKE_CUDA_FLAGS_INIT " -target-dir=sbsa-linux")
    else()
      message(STATUS "CUDA toolkit: no target for ${CMAKE_SYSTEM_PROCESSOR} in ${toolkit}/targets")
      set(cuda_fits FALSE)
    endif()
  endif()
  if(cuda_fits)
    include(CheckLanguage)
    check_language(CUDA)
  endif()
  if(cuda_fits AND CMAKE_CUDA_COMPILER)
    enable_language(CUDA)
    # CMake 3.25 as Debian 12 has it says that this library is out of date, also where CUDA 13 has it no more, and ends
    # with an error then. Nothing here uses it.
    if(CMAKE_VERSION VERSION_LESS 3.26 AND NOT TARGET CUDA::nvToolsExt)
      add_library(CUDA::nvToolsExt INTERFACE IMPORTED)
    endif()
    find_package(CUDAToolkit 12.8 QUIET)
    if(CUDAToolkit_FOUND AND TARGET CUDA::cublasLt)
      set(cuda_found TRUE)
    endif()
  endif()
endif()
rackproof_feature(cuda RACKPROOF_CUDA ${cuda_found})

# The CUDA runtime that GPU benches are linked with, and where they look for cuBLASLt.
if(RACKPROOF_CUDA_HOST)
  set(RACKPROOF_CUDART rackproof_cuda_host)
  set(RACKPROOF_CUBLAS_FOLDER "${PROJECT_BINARY_DIR}/lib/cuda_host")
else()
  set(RACKPROOF_CUDART CUDA::cudart_static)
  set(RACKPROOF_CUBLAS_FOLDER "${CUDAToolkit_LIBRARY_DIR}")
endif()

set(nccl_found FALSE)
if(RACKPROOF_CUDA_HOST AND NOT RACKPROOF_NCCL STREQUAL "OFF")
  set(nccl_found TRUE)
  add_library(NCCL::headers INTERFACE IMPORTED)
  set_target_properties(NCCL::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES "${NCCL_INCLUDE_DIR}")
  set(NCCL_FOLDER "${PROJECT_BINARY_DIR}/lib/cuda_host")
elseif(RACKPROOF_HAS_CUDA AND NOT RACKPROOF_NCCL STREQUAL "OFF")
  find_path(NCCL_INCLUDE_DIR nccl.h HINTS ${CUDAToolkit_INCLUDE_DIRS})
  find_library(NCCL_LIBRARY nccl HINTS ${CUDAToolkit_LIBRARY_DIR})
  mark_as_advanced(NCCL_INCLUDE_DIR NCCL_LIBRARY)
  set(nccl_version 0)
  if(NCCL_INCLUDE_DIR)
    file(STRINGS "${NCCL_INCLUDE_DIR}/nccl.h" nccl_version REGEX "^#define NCCL_VERSION_CODE ")
    string(REGEX REPLACE "[^0-9]" "" nccl_version "0${nccl_version}")
    if(nccl_version LESS 22800)
      message(STATUS "NCCL in ${NCCL_INCLUDE_DIR} is older than 2.28: not used")
    endif()
  endif()
  if(nccl_version GREATER_EQUAL 22800)
    set(nccl_found TRUE)
    add_library(NCCL::headers INTERFACE IMPORTED)
    set_target_properties(NCCL::headers PROPERTIES INTERFACE_INCLUDE_DIRECTORIES
                                                   "${NCCL_INCLUDE_DIR}")
  endif()
  # The library itself is loaded at run time and need not be here.
  get_filename_component(NCCL_FOLDER "${NCCL_LIBRARY}" DIRECTORY)
endif()
rackproof_feature(nccl RACKPROOF_NCCL ${nccl_found})

# rackproof_untimed_kernels(<target>): no kernel of it is part of what is measured. Where it is built for
# several generations, what the compiler's front end makes is shared by all of them, which is most of the work;
# machine code for 10.0 runs on 10.3 too. Kernels that are timed have what each generation can do best.
function(rackproof_untimed_kernels target)
  list(LENGTH CMAKE_CUDA_ARCHITECTURES generations)
  if(RACKPROOF_CUDA_HOST OR generations LESS 2)
    return()
  endif()
  set(codes compute_80)
  foreach(generation IN LISTS CMAKE_CUDA_ARCHITECTURES)
    if(NOT generation MATCHES "^([0-9]+)(-real)?$")
      return()
    endif()
    if(NOT (CMAKE_MATCH_1 EQUAL 103 AND "100-real" IN_LIST CMAKE_CUDA_ARCHITECTURES))
      string(APPEND codes ",sm_${CMAKE_MATCH_1}")
    endif()
  endforeach()
  set_target_properties(${target} PROPERTIES CUDA_ARCHITECTURES OFF)
  target_compile_options(
    ${target} PRIVATE "$<$<COMPILE_LANGUAGE:CUDA>:--generate-code=arch=compute_80,code=[${codes}]>")
endfunction()

# rackproof_host_kernels(<source>...): .cu files as C++ for RACKPROOF_CUDA=HOST, with every access to memory told to
# tests/support/cuda_host as a compiler tells it to the thread sanitizer.
function(rackproof_host_kernels)
  set(folder "${PROJECT_SOURCE_DIR}/tests/support/cuda_host")
  # Before every other folder: headers of its own for launches and PTX.
  set(instead -iquote "${folder}/instead")
  set(front -x c++ -include "${folder}/kernel.hpp")
  set(quiet -Wno-unknown-pragmas -Wno-unused-variable -Wno-attributes -Wno-pedantic -Wno-conversion)
  set_source_files_properties(
    ${ARGN}
    PROPERTIES LANGUAGE CXX
               OBJECT_DEPENDS "${folder}/kernel.hpp"
               COMPILE_OPTIONS "${instead};${front};-O2;-fno-sanitize=all;-fsanitize=thread;-fno-threadsafe-statics;${quiet}")
endfunction()
