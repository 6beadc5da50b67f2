# What can be switched, and the one INTERFACE target that carries every compiler flag.
set(RACKPROOF_MPI AUTO CACHE STRING "Build the MPI parts: ON, OFF or AUTO")
set(RACKPROOF_BLAS AUTO CACHE STRING "Build the CBLAS benches: ON, OFF or AUTO")
set(RACKPROOF_CUDA AUTO CACHE STRING
    "Build the GPU benches: ON, OFF, AUTO, or HOST for tests without a GPU (docs/gpu-on-cpu.md)")
set(RACKPROOF_NCCL AUTO CACHE STRING "Build the NCCL benches: ON, OFF or AUTO")
option(RACKPROOF_TESTS "Build the tests" ON)
option(RACKPROOF_DEVICE_TESTS "Without the tests: build those that need a GPU all the same" OFF)
option(RACKPROOF_WERROR "Treat warnings as errors" OFF)
set(RACKPROOF_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
option(RACKPROOF_UNITY "Compile the sources of a room together: less work from nothing, more after a change" OFF)
option(RACKPROOF_FUZZ "Build the libFuzzer targets (clang only)" OFF)

add_library(rackproof_flags INTERFACE)
target_compile_features(rackproof_flags INTERFACE cxx_std_20)
target_compile_options(
  rackproof_flags
  INTERFACE "$<$<COMPILE_LANGUAGE:CXX>:-Wall;-Wextra;-Wpedantic;-Wshadow;-Wnon-virtual-dtor>"
            "$<$<COMPILE_LANGUAGE:CXX>:-Wconversion;-Wno-sign-conversion>"
            # gcc 12 reports std::string concatenations at -O3 (gcc bug 105651).
            $<$<COMPILE_LANG_AND_ID:CXX,GNU>:-Wno-restrict>
            $<$<AND:$<BOOL:${RACKPROOF_WERROR}>,$<COMPILE_LANGUAGE:CXX>>:-Werror>
            # CMake 3.25 does not know how to ask nvcc for C++20.
            "$<$<COMPILE_LANGUAGE:CUDA>:-std=c++20;-Xcompiler=-Wall,-Wextra>"
            "$<$<AND:$<BOOL:${RACKPROOF_WERROR}>,$<COMPILE_LANGUAGE:CUDA>>:-Werror=all-warnings>")
target_include_directories(rackproof_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(RACKPROOF_SANITIZE)
  target_compile_options(rackproof_flags INTERFACE -fsanitize=${RACKPROOF_SANITIZE}
                                                   -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all
                                                   # Libraries that are loaded have C types of
                                                   # other names, for the same arguments.
                                                   $<$<CXX_COMPILER_ID:Clang>:-fno-sanitize=function>)
  target_link_options(rackproof_flags INTERFACE -fsanitize=${RACKPROOF_SANITIZE})
  target_compile_definitions(rackproof_flags INTERFACE "RACKPROOF_SANITIZED=\"${RACKPROOF_SANITIZE}\"")
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  # Precompiled headers (tests/CMakeLists.txt) hit the cache with these alone.
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CMAKE_COMMAND}" -E env
                                  CCACHE_SLOPPINESS=pch_defines,time_macros "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_CUDA_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
