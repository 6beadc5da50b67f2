#include "tests/support/cuda_host/memory.hpp"

#include <fmt/format.h>
#include <sys/mman.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstring>
#include <map>
#include <mutex>
#include <random>
#include <shared_mutex>
#include <vector>

#include "tests/support/cuda_host/complain.hpp"
#include "tests/support/cuda_host/image.hpp"
#include "tests/support/cuda_host/machine.hpp"

namespace rackproof::cuda_host {
namespace {

constexpr std::size_t kPage = 4096;
constexpr std::size_t kAlignment = 256;
constexpr std::size_t kNoise = std::size_t{1} << 20;
constexpr std::size_t kMostDevices = 64;
// So many given back are kept unreachable; the address space of older ones is used again.
constexpr std::size_t kQuarantine = 4096;

std::shared_mutex mutex;
std::map<const char*, Area*> areas;  // by their beginning
std::vector<Area*> given_back;
std::array<std::size_t, kMostDevices> used{};
std::array<std::array<std::atomic<bool>, kMostDevices>, kMostDevices> opened{};
int at_work = 0;
bool is_open = false;

void protect_all(int how) {
  for (const auto& [data, area] : areas) {
    if (area->on_device() && !area->freed) mprotect(area->pages, area->length, how);
  }
}

void fill_with_noise(char* from, std::size_t bytes) {
  static std::atomic<std::uint64_t> serial{0};
  std::mt19937_64 random(machine().seed * 1'000'003 + serial++);
  for (std::size_t i = 0; i + 8 <= bytes; i += 8) {
    const std::uint64_t word = random();
    std::memcpy(from + i, &word, sizeof(word));
  }
}

// Only when device memory is closed: while work goes on, only what is between areas is.
void on_fault(int, siginfo_t* info, void*) {
  (void)std::signal(SIGABRT, SIG_DFL);
  const void* const address = info->si_addr;
  if (!mutex.try_lock_shared())
    complain(fmt::format("illegal access to {} within cuda_host", address));
  mutex.unlock_shared();
  const Area* const area = area_of(address);
  if (area == nullptr) complain(fmt::format("illegal access to {}", address));
  complain(fmt::format("touched byte {} of {} B of {}",
                       static_cast<const char*>(address) - area->data, area->bytes,
                       area->freed ? std::string("memory that was freed")
                                   : fmt::format("device {}'s memory", area->device)));
}

[[maybe_unused]] const bool handler = [] {
  struct sigaction action {};
  action.sa_sigaction = on_fault;
  action.sa_flags = SA_SIGINFO | SA_ONSTACK | SA_NODEFER;
  sigaction(SIGSEGV, &action, nullptr);
  return true;
}();

std::string where(const Area& area, std::size_t offset) {
  return fmt::format("byte {} of an allocation of {} B {}", offset, area.bytes,
                     area.on_device() ? fmt::format("on device {}", area.device)
                                      : std::string("in page-locked host memory"));
}

[[noreturn]] void complain_of(const Clash& clash, const Area& area, Touch how) {
  const std::string place = where(area, clash.offset);
  if (clash.kind == Clash::Kind::kUnwritten) {
    complain(fmt::format("read {}, which nobody has written", place));
  }
  if (clash.kind == Clash::Kind::kNotConstant) {
    complain(fmt::format("{} {}, which the same kernel {}",
                         is_read(how) ? "loaded as constant" : "wrote", place,
                         clash.other_wrote ? "writes" : "loads as constant"));
  }
  const char* const did = is_read(how) ? "read" : "wrote";
  const char* const other = clash.other_wrote ? "wrote" : "read";
  if (clash.kind == Clash::Kind::kRace) {
    complain(fmt::format("a race: {} {}, which {} {} with no barrier between", did, place,
                         say(clash.other), other));
  }
  complain(fmt::format("a race: {} {}, which {} {}, and nothing orders the two", did, place,
                       name_of_operation(clash.other.operation()), other));
}

void require_reach(const Area& area, std::size_t offset, std::size_t bytes, bool copying) {
  const int device = current_operation()->device;
  if (area.freed) complain(fmt::format("used {}, which was freed", where(area, offset)));
  if (offset + bytes > area.bytes) {
    complain(fmt::format("touched {} B at {}: out of bounds", bytes, where(area, offset)));
  }
  if (copying || !area.on_device() || area.device == device) return;
  if (!opened[static_cast<std::size_t>(device)][static_cast<std::size_t>(area.device)]) {
    complain(fmt::format("touched {} from device {}, to which it was not opened",
                         where(area, offset), device));
  }
}

void leave_trail(const Area& area, std::size_t offset, Touch how) {
  Trail& of = trail();
  if (is_read(how)) {
    of.read = &area;
  } else {
    of.wrote = &area;
    of.written = area.data + offset;
  }
}

}  // namespace

char* take(std::size_t bytes, int device) {
  const std::size_t room =
      (std::max<std::size_t>(bytes, 1) + kAlignment - 1) / kAlignment * kAlignment;
  const std::size_t length = (room + kPage - 1) / kPage * kPage;
  void* const all = mmap(nullptr, length + 2 * kPage, PROT_NONE,
                         MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
  if (all == MAP_FAILED) return nullptr;
  auto area = std::make_unique<Area>();
  area->pages = static_cast<char*>(all) + kPage;
  area->length = length;
  area->bytes = bytes;
  area->device = device;
  area->data = area->pages + length - room;
  mprotect(area->pages, length, PROT_READ | PROT_WRITE);
  // The rest is left as it is, so that large memory that nobody uses costs nothing.
  fill_with_noise(area->pages, std::min(length, kNoise));
  if (area->on_device()) area->shadow = std::make_unique<Shadow>(room);
  const std::unique_lock lock(mutex);
  if (area->on_device()) {
    used[static_cast<std::size_t>(device)] += bytes;
    if (!is_open) mprotect(area->pages, length, PROT_NONE);
  }
  char* const data = area->data;
  areas[data] = area.release();
  return data;
}

bool give(void* data) {
  const std::unique_lock lock(mutex);
  const auto found = areas.find(static_cast<char*>(data));
  if (found == areas.end() || found->second->freed) return false;
  Area& area = *found->second;
  area.freed = true;
  if (area.on_device()) used[static_cast<std::size_t>(area.device)] -= area.bytes;
  area.shadow.reset();
  // The same addresses, without what was in them.
  (void)mmap(area.pages, area.length, PROT_NONE,
             MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0);
  given_back.push_back(&area);
  if (given_back.size() > kQuarantine) {
    Area* const oldest = given_back.front();
    given_back.erase(given_back.begin());
    areas.erase(oldest->data);
    munmap(oldest->pages - kPage, oldest->length + 2 * kPage);
  }
  return true;
}

std::size_t used_on(int device) {
  const std::shared_lock lock(mutex);
  return used[static_cast<std::size_t>(device)];
}

std::size_t pieces_held() {
  const std::shared_lock lock(mutex);
  return static_cast<std::size_t>(std::count_if(
      areas.begin(), areas.end(), [](const auto& one) { return !one.second->freed; }));
}

const Area* area_of(const void* address) {
  // Areas are never forgotten while a thread may have one in here.
  thread_local std::array<const Area*, 4> recent{};
  thread_local std::size_t oldest = 0;
  const char* const at = static_cast<const char*>(address);
  for (const Area* const area : recent) {
    if (area != nullptr && !area->freed && at >= area->data && at < area->data + area->bytes) {
      return area;
    }
  }
  const std::shared_lock lock(mutex);
  auto next = areas.upper_bound(at);
  if (next == areas.begin()) return nullptr;
  const Area* const area = (--next)->second;
  // Guard pages belong to what they guard.
  if (at >= area->pages + area->length + kPage) return nullptr;
  return recent[oldest++ % recent.size()] = area;
}

AtWork::AtWork() {
  const std::unique_lock lock(mutex);
  ++at_work;
  if (!is_open) protect_all(PROT_READ | PROT_WRITE);
  is_open = true;
}

AtWork::~AtWork() {
  const std::unique_lock lock(mutex);
  --at_work;
}

void close_memory() {
  const std::unique_lock lock(mutex);
  if (at_work > 0 || !is_open) return;
  protect_all(PROT_NONE);
  is_open = false;
}

void touch(const void* address, std::size_t bytes, const Stamp& who, Touch how, bool want_written) {
  const Area* const area = area_of(address);
  if (area == nullptr) {
    if (is_read(how) && is_constant(address)) return;
    complain(fmt::format("touched {} B at {}, which is no memory of a device", bytes, address));
  }
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - area->data);
  require_reach(*area, offset, bytes, false);
  leave_trail(*area, offset, how);
  if (area->shadow == nullptr) return;
  const auto clash =
      area->shadow->touch(offset, bytes, who, how, current_operation()->clock, want_written);
  if (clash) complain_of(*clash, *area, how);
  if (!is_read(how)) last_written() = area->data + offset;
}

void touch_range(const void* address, std::size_t bytes, Touch how, bool want_written) {
  if (bytes == 0) return;
  const Area* const area = area_of(address);
  if (area == nullptr) return;
  const auto offset = static_cast<std::size_t>(static_cast<const char*>(address) - area->data);
  require_reach(*area, offset, bytes, true);
  leave_trail(*area, offset, how);
  if (area->shadow == nullptr) return;
  const Stamp who(current_operation()->id, 0, 0, 0);
  const auto clash =
      area->shadow->touch(offset, bytes, who, how, current_operation()->clock, want_written);
  if (clash) complain_of(*clash, *area, how);
  if (!is_read(how)) last_written() = area->data + offset;
}

char*& last_written() {
  thread_local char* at = nullptr;
  return at;
}

Trail& trail() {
  thread_local Trail of;
  return of;
}

bool open_peer(int device, int peer) {
  return !opened[static_cast<std::size_t>(device)][static_cast<std::size_t>(peer)].exchange(true);
}

}  // namespace rackproof::cuda_host
