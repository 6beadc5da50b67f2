#include "tests/support/cuda_host/image.hpp"

#include <cxxabi.h>
#include <elf.h>
#include <fmt/format.h>
#include <link.h>
#include <unistd.h>

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <memory>
#include <mutex>
#include <set>
#include <vector>

namespace rackproof::cuda_host {
namespace {

struct Range {
  std::uintptr_t from = 0;
  std::uintptr_t to = 0;
};

int add_constants(dl_phdr_info* info, std::size_t, void* to) {
  for (int i = 0; i < info->dlpi_phnum; ++i) {
    const ElfW(Phdr)& part = info->dlpi_phdr[i];
    const bool relocated = part.p_type == PT_GNU_RELRO;
    if (!relocated && (part.p_type != PT_LOAD || (part.p_flags & PF_W) != 0)) continue;
    const std::uintptr_t from = info->dlpi_addr + part.p_vaddr;
    static_cast<std::vector<Range>*>(to)->push_back({from, from + part.p_memsz});
  }
  return 0;
}

int take_first_base(dl_phdr_info* info, std::size_t, void* to) {
  *static_cast<std::uintptr_t*>(to) = info->dlpi_addr;
  return 1;  // the program itself comes first
}

// Names as a reader wants them: without the namespaces that all of them are in, and without
// parameters.
std::string short_name(const char* mangled) {
  int status = 0;
  const std::unique_ptr<char, void (*)(void*)> plain(
      abi::__cxa_demangle(mangled, nullptr, nullptr, &status), &std::free);
  std::string text = status == 0 ? plain.get() : mangled;
  if (text.starts_with("void ")) text.erase(0, 5);
  for (const char* part : {"rackproof::", "(anonymous namespace)::", "kit::"}) {
    for (auto at = text.find(part); at != std::string::npos; at = text.find(part)) {
      text.erase(at, std::string(part).size());
    }
  }
  int depth = 0;
  for (std::size_t i = text.size(); i-- > 0;) {
    if (text[i] == ')') ++depth;
    if (text[i] == '(' && --depth == 0) {
      text.erase(i);
      break;
    }
  }
  return text;
}

template <class T>
const T* at(const std::string& file, std::uint64_t offset) {
  return reinterpret_cast<const T*>(file.data() + offset);
}

// Functions of the program's file, by address, as the file has their names.
std::map<const void*, std::string> read_functions() {
  std::ifstream stream("/proc/self/exe", std::ios::binary);
  const std::string file{std::istreambuf_iterator<char>(stream), {}};
  std::map<const void*, std::string> found;
  if (file.size() < sizeof(ElfW(Ehdr))) return found;
  const auto* const head = at<ElfW(Ehdr)>(file, 0);
  const auto* const sections = at<ElfW(Shdr)>(file, head->e_shoff);
  std::uintptr_t base = 0;
  dl_iterate_phdr(&take_first_base, &base);
  for (int s = 0; s < head->e_shnum; ++s) {
    if (sections[s].sh_type != SHT_SYMTAB) continue;
    const char* const texts = file.data() + sections[sections[s].sh_link].sh_offset;
    const auto* const symbols = at<ElfW(Sym)>(file, sections[s].sh_offset);
    for (std::size_t i = 0; i < sections[s].sh_size / sizeof(ElfW(Sym)); ++i) {
      const ElfW(Sym)& symbol = symbols[i];
      if (ELF64_ST_TYPE(symbol.st_info) != STT_FUNC || symbol.st_value == 0) continue;
      found[reinterpret_cast<const void*>(base + symbol.st_value)] = texts + symbol.st_name;
    }
  }
  return found;
}

const std::map<const void*, std::string>& functions() {
  static const std::map<const void*, std::string> all = read_functions();
  return all;
}

// Written when the program ends, by the destructor.
class Log {
 public:
  ~Log() {
    const char* const folder = std::getenv("RACKPROOF_CUDA_HOST_KERNELS");
    if (folder == nullptr) return;
    const std::string program = std::filesystem::read_symlink("/proc/self/exe").filename();
    std::ofstream to(fmt::format("{}/{}.{}.txt", folder, program, getpid()));
    for (const void* const kernel : ran_) to << functions().at(kernel) << '\n';
  }
  void note(const void* kernel) {
    const std::lock_guard lock(mutex_);
    ran_.insert(kernel);
  }

 private:
  std::mutex mutex_;
  std::set<const void*> ran_;
};

Log& log() {
  (void)functions();  // they end after the log, which reads them
  static Log one;
  return one;
}

}  // namespace

bool is_constant(const void* address) {
  static const std::vector<Range> all = [] {
    std::vector<Range> ranges;
    dl_iterate_phdr(&add_constants, &ranges);
    return ranges;
  }();
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  for (const Range& range : all) {
    if (at >= range.from && at < range.to) return true;
  }
  return false;
}

std::string name_of_kernel(const void* kernel) {
  const auto found = functions().find(kernel);
  return found == functions().end() ? "a kernel" : short_name(found->second.c_str());
}

void note_kernel(const void* kernel) { log().note(kernel); }

}  // namespace rackproof::cuda_host
