#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "reports/model/finding.hpp"

namespace rackproof::model {

/// What one series of a recording was while an attempt ran.
struct SeriesSummary {
  std::string name;     ///< "gpu.power"
  std::string subject;  ///< a GPU's UUID, an interface, a sensor; empty: the node
  std::string unit;
  std::int64_t samples = 0;   ///< values within the attempt's time
  std::optional<double> min;  ///< of a state, as are median, p95 and max
  std::optional<double> median;
  std::optional<double> p95;
  std::optional<double> max;
  std::optional<double> delta;           ///< of a counter: from before the attempt until after it
  std::map<std::string, double> shares;  ///< of bits: for which share of the samples each was on
  std::string missing;                   ///< why values are missing, when some are: the last reason

  bool operator==(const SeriesSummary&) const = default;
};

/// The recording of one host in one segment of a run. The samples stay in the file.
struct RecordingInfo {
  std::string host;
  int segment = 1;
  std::string file;             ///< relative to the report
  std::string sha256;           ///< of the file; empty when it is not there
  std::string problem;          ///< why there is none, or what is wrong with it; empty: nothing
  double interval_seconds = 0;  ///< that was asked for
  double slowest_seconds = 0;   ///< the longest that the recorder kept to, to stay in its budget
  std::int64_t samples = 0;
  std::int64_t overwritten = 0;  ///< older ones that there was no room for
  std::int64_t damaged = 0;
  bool closed = false;                  ///< by the recorder itself; else it was killed
  std::string ends_utc;                 ///< of the last sample, by the host's clock
  double cpu_seconds_per_sample = 0;    ///< of a processor, for a sample and device
  std::vector<std::string> notes;       ///< what is not recorded, and why
  std::vector<std::string> blind = {};  ///< UUIDs of GPUs whose errors nobody could have told it
  bool gap = false;  ///< it ended, or stood still, before the run's part on this host was over

  bool operator==(const RecordingInfo&) const = default;
};

/// Something that the kernel or a driver of a host told while it was recorded.
struct Event {
  std::string host;
  std::string utc;   ///< by the host's clock
  std::string kind;  ///< xid, sxid, gpu-lost, ecc, aer, edac, mce, link, oom, hung-task, thermal
  Severity severity = Severity::kInfo;  ///< error: hardware failed
  std::string
      device;  ///< UUID of a GPU of the host, else PCI address, interface, memory controller
  std::int64_t code = 0;  ///< of an Xid or SXid
  std::string text;
  std::int64_t count = 1;  ///< how many alike it stands for
  /// Nonces of the attempts in whose time it may have fallen: those on the device, when it is a GPU
  /// of the host, else all on the host.
  std::vector<std::string> attempts;

  bool operator==(const Event&) const = default;
};

}  // namespace rackproof::model
