#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "benches/kit/options.hpp"
#include "benches/protocol/record.hpp"

namespace rackproof::copy {

/// The command line.
struct Settings {
  std::string device;              ///< empty: every device of this process
  std::vector<std::string> tests;  ///< words of test_words(); none asks for all
  std::vector<std::string> engines{"ce", "sm"};
  std::vector<std::string> directions{"one", "both"};
  std::string numa = "all";  ///< "local": of several domains, only the device's own
  std::int64_t size = std::int64_t{512} << 20;
  std::int64_t copies = 16;  ///< between two events: one sample
  std::int64_t samples = 5;
  std::int64_t seed = 0;  ///< 0: a new one
};

std::vector<std::string> test_words();
void declare(kit::Options& options, Settings& settings);

/// Throws kit::UsageError for a size that is no multiple of 16 B, or so small that a copy within a
/// device would stay in its cache of `l2_bytes`.
void require_sizes(const Settings& settings, std::int64_t l2_bytes);

/// What one sample copies: `copies` times `bytes`, each a little further on (`shift`) than the one
/// before, so that each leaves something that no later one covers: one that did nothing shows.
struct Window {
  std::int64_t bytes = 0;
  std::int64_t copies = 0;
  std::int64_t shift = 0;

  std::int64_t offset(std::int64_t copy) const { return copy * shift; }
  /// Bytes of source and destination.
  std::int64_t span() const { return bytes + (copies - 1) * shift; }
  /// Bytes that count for one sample: each copied byte once.
  double moved() const { return static_cast<double>(bytes) * static_cast<double>(copies); }
};
Window window_of(const Settings& settings);

enum class Path { kHostToDevice, kDeviceToHost, kLocal, kPeerWrite, kPeerRead };
enum class Engine { kCopyEngine, kKernel };

/// "h2d", "d2h", "local", "peer_write", "peer_read".
std::string_view word(Path path);
/// "ce", "sm".
std::string_view word(Engine engine);

/// The place of the host among devices.
inline constexpr int kHost = -1;

/// Data that goes from one memory to another. Devices are numbered as in Site.
struct Flow {
  Path path = Path::kLocal;
  int from = 0;
  int to = 0;

  /// The device whose engine moves the data: of peers the one that the path names, writer or
  /// reader.
  int driver() const;
};

/// What is there to copy between.
struct Site {
  std::vector<int> near;     ///< for each device the NUMA domain it hangs on; -1: not known
  std::vector<int> domains;  ///< NUMA domains of the host; one at least
  std::vector<std::vector<bool>> reach;  ///< [a][b]: device a can use memory of device b

  int devices() const { return static_cast<int>(near.size()); }
};

/// One or two flows measured at the same time. `domain` is that of the host's memory, -1 without
/// any.
struct Task {
  Engine engine = Engine::kCopyEngine;
  std::vector<Flow> flows;
  int domain = -1;
};

/// A chase of pointers in the memory of `owner` (kHost: of the host, in `domain`) by `reader`.
struct Chase {
  int reader = 0;
  int owner = kHost;
  int domain = -1;
};

/// What the settings ask for, in the order measured: host memory domain by domain, each device;
/// then copies within devices; then pairs. A pair that cannot reach each other has no task.
std::vector<Task> tasks(const Settings& settings, const Site& site);
std::vector<Chase> chases(const Settings& settings, const Site& site);

/// "local" for the domain of the device (and for the only one there is), else "numa<N>".
std::string numa_word(const Site& site, int device, int domain);

/// {"engine", "direction", "bytes"}, and "numa" with the host's memory, "counted" within a device.
contract::Parameters parameters(const Task& task, const Flow& flow, const Settings& settings,
                                const Site& site);
contract::Parameters parameters(const Chase& chase, const Site& site);

/// Name of the check of a flow: "peer_write.ce.both.0-1", "h2d.sm.one.numa1.0".
std::string check_name(const Task& task, const Flow& flow, const Site& site);
std::string check_name(const Chase& chase, const Site& site);

}  // namespace rackproof::copy
