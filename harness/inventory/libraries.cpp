#include <gnu/libc-version.h>
#include <hwloc.h>
#include <openssl/crypto.h>

#include <array>
#include <string>

#include "harness/inventory/collectors.hpp"
#include "harness/inventory/library_look.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::inventory {
namespace {

namespace fact_name = model::fact_name;

// Far longer than any takes to load from a cold disk.
constexpr double kLoadSeconds = 10;

std::string mpi_version(void* symbol, const std::string& /*which*/) {
  // MPI lets this one be called before MPI_Init. MPI_MAX_LIBRARY_VERSION_STRING is 256 in Open MPI
  // and 8192 in MPICH.
  std::array<char, 8192> text{};
  int length = 0;
  const auto version = reinterpret_cast<int (*)(char*, int*)>(symbol);
  return version(text.data(), &length) == 0 ? text.data() : "";
}

// Of a function that gives a text.
std::string text_of(void* symbol, const std::string& /*which*/) {
  const char* const text = reinterpret_cast<const char* (*)()>(symbol)();
  return text == nullptr ? "" : text;
}

std::string dotted(int number, int thousand) {
  return std::to_string(number / thousand) + "." + std::to_string(number % thousand / 100) + "." +
         std::to_string(number % 100);
}

// 2.9.6 was the first version of NCCL with five digits: 20906.
std::string nccl_version(int number) { return dotted(number, number < 10'000 ? 1000 : 10'000); }

// Of a function that gives a number into a place, and 0 when it could.
int number_of(void* symbol) {
  int number = 0;
  return reinterpret_cast<int (*)(int*)>(symbol)(&number) == 0 ? number : 0;
}

std::string nccl_text(void* symbol, const std::string& /*which*/) {
  const int number = number_of(symbol);
  return number > 0 ? nccl_version(number) : "";
}

// The plugin that NCCL would take for its network. Each form of its table of functions begins with
// its name; the newest one is told.
std::string plugin_name(void* symbol, const std::string& which) {
  const char* const name = *static_cast<const char* const*>(symbol);
  return std::string(name == nullptr ? "?" : name) + " (" + which + ")";
}

std::string cuda_version(void* symbol, const std::string& /*which*/) {
  const int number = number_of(symbol);
  if (number <= 0) return "";
  return std::to_string(number / 1000) + "." + std::to_string(number % 1000 / 10);
}

std::string cublaslt_version(void* symbol, const std::string& /*which*/) {
  const std::size_t version = reinterpret_cast<std::size_t (*)()>(symbol)();
  return dotted(static_cast<int>(version), 10'000);
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
         {fact_name::kLibraryLibc, fact_name::kLibraryHwloc, fact_name::kLibraryOpenssl,
          fact_name::kLibraryMpi, fact_name::kLibraryBlas, fact_name::kLibraryNccl,
          fact_name::kLibraryNcclNet, fact_name::kLibraryCudart, fact_name::kLibraryCublaslt,
          fact_name::kLibraryUcx}) {
      sheet.missing(name, "this process", "the files of another machine are being read");
    }
    return;
  }
  sheet.put(fact_name::kLibraryLibc, std::string("glibc ") + gnu_get_libc_version(),
            "gnu_get_libc_version");
  sheet.put(fact_name::kLibraryHwloc, hwloc_version(), "hwloc_get_api_version");
  sheet.put(fact_name::kLibraryOpenssl, std::string(OpenSSL_version(OPENSSL_VERSION_STRING)),
            "OpenSSL_version");
  const LibraryLook looks[] = {
      {fact_name::kLibraryMpi,
       {"libmpi.so.40", "libmpi.so.12", "libmpi.so"},
       {"MPI_Get_library_version"},
       mpi_version},
      {fact_name::kLibraryBlas,
       {"libopenblas.so.0", "libopenblas.so", "libblas.so.3"},
       {"openblas_get_config"},
       text_of},
      {fact_name::kLibraryNccl, {"libnccl.so.2", "libnccl.so"}, {"ncclGetVersion"}, nccl_text},
      {fact_name::kLibraryNcclNet,
       {"libnccl-net.so"},
       {"ncclNetPlugin_v11", "ncclNetPlugin_v10", "ncclNetPlugin_v9", "ncclNetPlugin_v8",
        "ncclNetPlugin_v7", "ncclNetPlugin_v6", "ncclNetPlugin_v5"},
       plugin_name},
      {fact_name::kLibraryCudart,
       {"libcudart.so.13", "libcudart.so.12", "libcudart.so.11.0"},
       {"cudaRuntimeGetVersion"},
       cuda_version},
      {fact_name::kLibraryCublaslt,
       {"libcublasLt.so.13", "libcublasLt.so.12", "libcublasLt.so.11"},
       {"cublasLtGetVersion"},
       cublaslt_version},
      {fact_name::kLibraryUcx, {"libucp.so.0"}, {"ucp_get_version_string"}, text_of},
  };
  for (const LibraryLook& look : looks) put_library(look, sheet, kLoadSeconds);
}

}  // namespace rackproof::inventory
