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

std::string dotted(int number, int thousand) {
  return std::to_string(number / thousand) + "." + std::to_string(number % thousand / 100) + "." +
         std::to_string(number % 100);
}

// 2.9.6 was the first version of NCCL with five digits: 20906.
std::string nccl_version(int number) { return dotted(number, number < 10'000 ? 1000 : 10'000); }

void put_nccl(FactSheet& sheet) {
  constexpr const char* kSymbol = "ncclGetVersion";
  const Found found = find_symbol({"libnccl.so.2", "libnccl.so"}, kSymbol);
  int number = 0;
  if (!found.symbol) {
    put_missing("library.nccl", found, kSymbol, sheet);
  } else if (reinterpret_cast<int (*)(int*)>(found.symbol)(&number) != 0 || number <= 0) {
    sheet.missing("library.nccl", found.file, "the call failed");
  } else {
    sheet.put("library.nccl", nccl_version(number), found.file + ": " + kSymbol);
  }
}

// The plugin that NCCL would take for its network. Each form of its table of functions begins with
// its name; the newest one is told.
void put_nccl_plugin(FactSheet& sheet) {
  constexpr const char* kName = "library.nccl_net";
  constexpr std::array kTables = {"ncclNetPlugin_v11", "ncclNetPlugin_v10", "ncclNetPlugin_v9",
                                  "ncclNetPlugin_v8",  "ncclNetPlugin_v7",  "ncclNetPlugin_v6",
                                  "ncclNetPlugin_v5"};
  Found found;
  for (const char* table : kTables) {
    found = find_symbol({"libnccl-net.so"}, table);
    if (found.file.empty()) break;
    if (!found.symbol) continue;
    const char* const name = *static_cast<const char* const*>(found.symbol);
    sheet.put(kName, std::string(name == nullptr ? "?" : name) + " (" + table + ")", found.file);
    return;
  }
  put_missing(kName, found, "ncclNetPlugin", sheet);
}

void put_cuda(FactSheet& sheet) {
  constexpr const char* kRuntime = "cudaRuntimeGetVersion";
  const Found runtime =
      find_symbol({"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"}, kRuntime);
  int number = 0;
  if (!runtime.symbol) {
    put_missing("library.cudart", runtime, kRuntime, sheet);
  } else if (reinterpret_cast<int (*)(int*)>(runtime.symbol)(&number) != 0 || number <= 0) {
    sheet.missing("library.cudart", runtime.file, "the call failed");
  } else {
    sheet.put("library.cudart",
              std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10),
              runtime.file + ": " + kRuntime);
  }
  constexpr const char* kBlas = "cublasLtGetVersion";
  const Found blas =
      find_symbol({"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"}, kBlas);
  if (!blas.symbol) {
    put_missing("library.cublaslt", blas, kBlas, sheet);
    return;
  }
  const std::size_t version = reinterpret_cast<std::size_t (*)()>(blas.symbol)();
  sheet.put("library.cublaslt", dotted(static_cast<int>(version), 10'000),
            blas.file + ": " + kBlas);
}

void put_ucx(FactSheet& sheet) {
  constexpr const char* kSymbol = "ucp_get_version_string";
  const Found found = find_symbol({"libucp.so.0"}, kSymbol);
  const char* version = nullptr;
  if (found.symbol) version = reinterpret_cast<const char* (*)()>(found.symbol)();
  if (version == nullptr) {
    put_missing("library.ucx", found, kSymbol, sheet);
  } else {
    sheet.put("library.ucx", std::string(version), found.file + ": " + kSymbol);
  }
}

std::string hwloc_version() {
  const unsigned version = hwloc_get_api_version();
  return std::to_string(version >> 16U) + "." + std::to_string((version >> 8U) & 0xffU) + "." +
         std::to_string(version & 0xffU) + " (API)";
}

}  // namespace

void collect_libraries(const FileTree& tree, FactSheet& sheet) {
  if (!tree.live()) {
    for (const char* name : {"library.libc", "library.hwloc", "library.openssl", "library.mpi",
                             "library.blas", "library.nccl", "library.nccl_net", "library.cudart",
                             "library.cublaslt", "library.ucx"}) {
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
  put_nccl(sheet);
  put_nccl_plugin(sheet);
  put_cuda(sheet);
  put_ucx(sheet);
}

}  // namespace rackproof::inventory
