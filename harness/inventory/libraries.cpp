#include <dlfcn.h>
#include <gnu/libc-version.h>
#include <hwloc.h>
#include <openssl/crypto.h>

#include <array>
#include <initializer_list>
#include <memory>

#include "harness/inventory/collectors.hpp"

namespace rackproof::inventory {
namespace {

struct Found {
  std::string file;  ///< empty: nothing could be loaded
  void* symbol = nullptr;
};

// The libraries stay loaded: unloading OpenBLAS or Open MPI while its threads or hooks live
// crashes.
Found find_symbol(std::initializer_list<const char*> files, const char* symbol) {
  Found first;
  for (const char* file : files) {
    void* handle = ::dlopen(file, RTLD_LAZY | RTLD_LOCAL);
    if (!handle) continue;
    if (first.file.empty()) first.file = file;
    if (void* address = ::dlsym(handle, symbol)) return {file, address};
  }
  return first;
}

void put_missing(const std::string& name, const Found& found, const char* symbol,
                 FactSheet& sheet) {
  if (found.file.empty()) {
    sheet.missing(name, "dlopen", "no such library is installed");
  } else {
    sheet.missing(name, found.file, std::string("it has no function ") + symbol);
  }
}

void put_mpi(FactSheet& sheet) {
  constexpr const char* kSymbol = "MPI_Get_library_version";
  const Found found = find_symbol({"libmpi.so.40", "libmpi.so.12", "libmpi.so"}, kSymbol);
  if (!found.symbol) {
    put_missing("library.mpi", found, kSymbol, sheet);
    return;
  }
  // MPI lets this one be called before MPI_Init. MPI_MAX_LIBRARY_VERSION_STRING is 256 in Open MPI
  // and 8192 in MPICH.
  std::array<char, 8192> text{};
  int length = 0;
  const auto version = reinterpret_cast<int (*)(char*, int*)>(found.symbol);
  if (version(text.data(), &length) != 0) {
    sheet.missing("library.mpi", found.file, "the call failed");
    return;
  }
  sheet.put("library.mpi", std::string(text.data()), found.file + ": " + kSymbol);
}

void put_blas(FactSheet& sheet) {
  constexpr const char* kSymbol = "openblas_get_config";
  const Found found = find_symbol({"libopenblas.so.0", "libopenblas.so", "libblas.so.3"}, kSymbol);
  if (!found.symbol) {
    put_missing("library.blas", found, kSymbol, sheet);
    return;
  }
  const auto config = reinterpret_cast<const char* (*)()>(found.symbol);
  sheet.put("library.blas", std::string(config()), found.file + ": " + kSymbol);
}

std::string hwloc_version() {
  const unsigned version = hwloc_get_api_version();
  return std::to_string(version >> 16U) + "." + std::to_string((version >> 8U) & 0xffU) + "." +
         std::to_string(version & 0xffU) + " (API)";
}

}  // namespace

void collect_libraries(const FileTree& tree, FactSheet& sheet) {
  if (!tree.live()) {
    for (const char* name :
         {"library.libc", "library.hwloc", "library.openssl", "library.mpi", "library.blas"}) {
      sheet.missing(name, "this process", "the files of another machine are being read");
    }
    return;
  }
  sheet.put("library.libc", std::string("glibc ") + gnu_get_libc_version(), "gnu_get_libc_version");
  sheet.put("library.hwloc", hwloc_version(), "hwloc_get_api_version");
  sheet.put("library.openssl", std::string(OpenSSL_version(OPENSSL_VERSION_STRING)),
            "OpenSSL_version");
  put_mpi(sheet);
  put_blas(sheet);
}

}  // namespace rackproof::inventory
