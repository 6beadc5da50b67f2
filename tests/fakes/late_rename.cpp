// Preloaded: a report.json gets its name only after a while, as on a slow file system or where
// there is much to write.
#include <dlfcn.h>
#include <unistd.h>

#include <string_view>

namespace {

// Longer than ranks wait in silence (30 s) and than they take for leaving (30 s).
constexpr unsigned kSeconds = 40;

}  // namespace

extern "C" int rename(const char* from, const char* to) noexcept {
  if (std::string_view(to).ends_with("/report.json")) sleep(kSeconds);
  using Rename = int (*)(const char*, const char*);
  return reinterpret_cast<Rename>(dlsym(RTLD_NEXT, "rename"))(from, to);
}
