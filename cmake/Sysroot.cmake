# Builds with what scripts/sysroot has made: gcc 12, glibc of Debian 11, other libraries static. RACKPROOF_SYSROOT is
# the architecture, amd64 or arm64.
set(CMAKE_TRY_COMPILE_PLATFORM_VARIABLES RACKPROOF_SYSROOT)
set(triple_amd64 x86_64-linux-gnu)
set(triple_arm64 aarch64-linux-gnu)
set(triple "${triple_${RACKPROOF_SYSROOT}}")
get_filename_component(place "${CMAKE_CURRENT_LIST_DIR}/../build/sysroot/${RACKPROOF_SYSROOT}" ABSOLUTE)
if(NOT triple OR NOT EXISTS "${place}/tools")
  message(FATAL_ERROR "there is no ${place}: scripts/sysroot ${RACKPROOF_SYSROOT}")
endif()

# With base_dir, ccache shortens the paths that the compiler prints, and CMake then takes the compiler's own folders for
# others. This is for the configuring alone; the build asks the cache.
set(ENV{CCACHE_DISABLE} 1)

# Named, the system makes it a cross build, whose programs CMake does not try to start.
cmake_host_system_information(RESULT host QUERY OS_PLATFORM)
string(REGEX MATCH "^[^-]+" processor "${triple}")
if(NOT host STREQUAL processor)
  set(CMAKE_SYSTEM_NAME Linux)
  set(CMAKE_SYSTEM_PROCESSOR ${processor})
endif()

set(CMAKE_SYSROOT "${place}/root")
set(CMAKE_C_COMPILER "${place}/tools/usr/bin/${triple}-gcc-12")
set(CMAKE_CXX_COMPILER "${place}/tools/usr/bin/${triple}-g++-12")
set(CMAKE_CUDA_HOST_COMPILER "${CMAKE_CXX_COMPILER}")
set(CMAKE_CUDA_FLAGS_INIT "-Xcompiler=--sysroot=${CMAKE_SYSROOT}")
foreach(tool AR NM OBJCOPY OBJDUMP RANLIB READELF STRIP)
  string(TOLOWER ${tool} program)
  set(CMAKE_${tool} "${place}/tools/usr/${triple}/bin/${program}")
endforeach()
if(CMAKE_SYSTEM_NAME)
  # Manual pages are written by the program itself.
  find_program(RACKPROOF_QEMU NAMES qemu-${processor}-static qemu-${processor})
  if(RACKPROOF_QEMU)
    set(CMAKE_CROSSCOMPILING_EMULATOR "${RACKPROOF_QEMU};-L;${CMAKE_SYSROOT}")
  endif()
endif()
# What libmpi.so itself needs is found where it is installed.
set(CMAKE_EXE_LINKER_FLAGS_INIT "-static-libstdc++ -static-libgcc -Wl,--allow-shlib-undefined")
# Tests have libraries of their own.
set(CMAKE_SHARED_LINKER_FLAGS_INIT "-static-libstdc++ -static-libgcc")

# FindMPI would ask this machine's mpicc.
set(MPI_SKIP_COMPILER_WRAPPER ON)
set(MPI_C_HEADER_DIR "${CMAKE_SYSROOT}/usr/lib/${triple}/openmpi/include")
set(MPI_C_LIB_NAMES mpi)
set(MPI_mpi_LIBRARY "${CMAKE_SYSROOT}/usr/lib/${triple}/openmpi/lib/libmpi.so")

set(CMAKE_FIND_ROOT_PATH "${CMAKE_SYSROOT}" /usr/local/cuda)
set(CMAKE_FIND_ROOT_PATH_MODE_PROGRAM NEVER)
set(CMAKE_FIND_ROOT_PATH_MODE_INCLUDE ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_LIBRARY ONLY)
set(CMAKE_FIND_ROOT_PATH_MODE_PACKAGE ONLY)
set(ENV{PKG_CONFIG_SYSROOT_DIR} "${CMAKE_SYSROOT}")
set(ENV{PKG_CONFIG_LIBDIR} "${CMAKE_SYSROOT}/usr/lib/${triple}/pkgconfig:${CMAKE_SYSROOT}/usr/share/pkgconfig")
