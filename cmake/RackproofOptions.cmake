# What can be switched, and the one INTERFACE target that carries every compiler flag.
set(RACKPROOF_MPI AUTO CACHE STRING "Build the MPI parts: ON, OFF or AUTO")
set(RACKPROOF_BLAS AUTO CACHE STRING "Build the CBLAS benches: ON, OFF or AUTO")
option(RACKPROOF_TESTS "Build the tests" ON)
option(RACKPROOF_WERROR "Treat warnings as errors" OFF)
set(RACKPROOF_SANITIZE "" CACHE STRING "Sanitizers, as -fsanitize= takes them")
option(RACKPROOF_FUZZ "Build the libFuzzer targets (clang only)" OFF)

add_library(rackproof_flags INTERFACE)
target_compile_features(rackproof_flags INTERFACE cxx_std_20)
target_compile_options(
  rackproof_flags INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor -Wconversion
                            -Wno-sign-conversion
                            # gcc 12 reports std::string concatenations at -O3 (gcc bug 105651).
                            $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>
                            $<$<BOOL:${RACKPROOF_WERROR}>:-Werror>)
target_include_directories(rackproof_flags INTERFACE "${PROJECT_SOURCE_DIR}")
if(RACKPROOF_SANITIZE)
  target_compile_options(rackproof_flags INTERFACE -fsanitize=${RACKPROOF_SANITIZE}
                                                   -fno-omit-frame-pointer
                                                   -fno-sanitize-recover=all)
  target_link_options(rackproof_flags INTERFACE -fsanitize=${RACKPROOF_SANITIZE})
endif()

find_program(CCACHE_PROGRAM ccache)
if(CCACHE_PROGRAM)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
  set(CMAKE_C_COMPILER_LAUNCHER "${CCACHE_PROGRAM}")
endif()
