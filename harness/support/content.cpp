#include "harness/support/content.hpp"

#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>
#include <vector>

#include "harness/support/errors.hpp"

namespace rackproof::support {
namespace {

constexpr std::size_t kContentBlock = std::size_t{1} << 18U;

std::system_error last_error() { return {errno, std::generic_category()}; }

// Of a pipe there may be less than asked for; nothing at the end.
std::size_t read_some(int descriptor, char* to, std::size_t size) {
  while (true) {
    const ssize_t got = ::read(descriptor, to, size);
    if (got >= 0) return static_cast<std::size_t>(got);
    if (errno != EINTR) throw last_error();
  }
}

void write_to(int descriptor, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t n = ::write(descriptor, bytes.data(), bytes.size());
    if (n < 0 && errno == EINTR) continue;
    if (n < 0) throw last_error();
    bytes.remove_prefix(static_cast<std::size_t>(n));
  }
}

// Others cannot open it, and whatever becomes of this process, nothing of it is left.
int nameless_file(std::string& folder) {
  const char* named = getenv("TMPDIR");
  folder = named != nullptr && *named == '/' ? named : "/var/tmp";
  std::string name = folder + "/rackproof-XXXXXX";
  const int descriptor = mkostemp(name.data(), O_CLOEXEC);
  if (descriptor < 0) throw last_error();
  ::unlink(name.c_str());
  return descriptor;
}

}  // namespace

void read_content(int descriptor, const TakeBytes& take, std::uint64_t most) {
  std::vector<char> block(kContentBlock);
  std::size_t size = 0;
  while (size < kZstdMagicBytes) {
    const std::size_t got = read_some(descriptor, block.data() + size, block.size() - size);
    if (got == 0) break;
    size += got;
  }
  const auto next = [&, first = true]() mutable -> std::string_view {
    if (!first) size = read_some(descriptor, block.data(), block.size());
    first = false;
    return {block.data(), size};
  };
  if (is_zstd({block.data(), size})) return decompress(next, most, take);
  auto plain = next;
  for (std::string_view part = plain(); !part.empty(); part = plain()) {
    if (!take(part)) return;
  }
}

void read_content(const std::string& path, const TakeBytes& take, std::uint64_t most) {
  const int descriptor = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  std::string why;
  try {
    if (descriptor < 0) throw last_error();
    read_content(descriptor, take, most);
  } catch (const BadZstd& bad) {
    why = bad.what();
  } catch (const std::system_error& error) {
    why = "cannot be read: " + error.code().message();
  }
  if (descriptor >= 0) ::close(descriptor);
  if (!why.empty()) throw UsageError(path + ": " + why);
}

std::string head_of_content(const std::string& path, std::size_t size) {
  std::string head;
  try {
    read_content(path, [&](std::string_view part) {
      head += part.substr(0, size - head.size());
      return head.size() < size;
    });
  } catch (const UsageError&) {  // NOLINT(bugprone-empty-catch): so far it can be had
  }
  return head;
}

bool is_compressed(int descriptor) {
  std::array<char, kZstdMagicBytes> head{};
  const ssize_t got = ::pread(descriptor, head.data(), head.size(), 0);
  return got == static_cast<ssize_t>(head.size()) && is_zstd({head.data(), head.size()});
}

int decompressed_copy(int descriptor, const std::string& path) {
  int copy = -1;
  std::string folder;
  try {
    copy = nameless_file(folder);
    read_content(descriptor, [copy](std::string_view part) {
      write_to(copy, part);
      return true;
    });
    return copy;
  } catch (const BadZstd& bad) {
    if (copy >= 0) ::close(copy);
    throw UsageError(path + ": " + bad.what());
  } catch (const std::system_error& error) {
    if (copy >= 0) ::close(copy);
    throw UsageError(path + ": cannot be decompressed in " + folder +
                     " (TMPDIR names another folder): " + error.code().message());
  }
}

}  // namespace rackproof::support
