#include <algorithm>
#include <charconv>
#include <limits>

#include "harness/inventory/file_tree.hpp"
#include "harness/telemetry/file_columns.hpp"
#include "harness/telemetry/host_columns.hpp"
#include "harness/telemetry/missing.hpp"
#include "reports/model/column_name.hpp"

namespace rackproof::telemetry {
namespace {

using inventory::FileTree;

constexpr std::size_t kAtOnce = 8;
// Ten hertz to a hundred gigahertz: anything else is no clock of a processor.
constexpr double kLeast = 1e7;
constexpr double kMost = 1e11;

std::vector<Column> columns_from(const std::string& source) {
  return {column_of(model::column_name::kCpuFrequencyMin, "", Kind::kGauge, source),
          column_of(model::column_name::kCpuFrequencyMean, "", Kind::kGauge, source),
          column_of(model::column_name::kCpuFrequencyMax, "", Kind::kGauge, source)};
}

struct Extent {
  double low = std::numeric_limits<double>::infinity();
  double high = 0;
  double sum = 0;
  int count = 0;
  double why = missing(Why::kNonsense);  ///< why the last one that was missing is

  void take(double hertz) {
    if (!is_value(hertz) || hertz < kLeast || hertz > kMost) {
      if (!is_value(hertz)) why = hertz;
      return;
    }
    low = std::min(low, hertz);
    high = std::max(high, hertz);
    sum += hertz;
    ++count;
  }
  void give(std::span<double> values) const {
    if (count == 0) {
      std::fill(values.begin(), values.end(), why);
      return;
    }
    values[0] = low;
    values[1] = sum / count;
    values[2] = high;
  }
};

// Each file makes the kernel ask that processor, so they take turns.
class FromCpufreq : public Columns {
 public:
  explicit FromCpufreq(const std::vector<std::string>& paths)
      : columns_(columns_from("/sys/devices/system/cpu/cpu*/cpufreq/scaling_cur_freq")) {
    for (const std::string& path : paths) files_.emplace_back(path);
  }
  const std::vector<Column>& columns() const override { return columns_; }

  void read(Moment /*moment*/, std::span<double> values) override {
    Extent extent;
    // Far apart: neighbours share a clock domain.
    const std::size_t step = std::max<std::size_t>(1, files_.size() / kAtOnce);
    for (std::size_t i = 0; i < std::min(kAtOnce, files_.size()); ++i) {
      int error = 0;
      const std::string_view text = files_[(next_ + i * step) % files_.size()].read(error);
      const double kilohertz = number_in(text, error);
      extent.take(is_value(kilohertz) ? kilohertz * 1e3 : kilohertz);
    }
    next_ = (next_ + 1) % files_.size();
    extent.give(values);
  }

 private:
  std::vector<KeptFile> files_;
  std::size_t next_ = 0;
  std::vector<Column> columns_;
};

// "cpu MHz		: 2600.000" of each processor in one file; it costs more with each of them.
class FromCpuinfo : public Columns {
 public:
  FromCpuinfo(const std::string& path, unsigned every) : file_(path), every_(every) {}
  const std::vector<Column>& columns() const override { return columns_; }

  void read(Moment moment, std::span<double> values) override {
    Extent extent;
    if (!moment.due(every_)) {
      extent.why = missing(Why::kNotDue);
      extent.give(values);
      return;
    }
    int error = 0;
    const std::string_view text = file_.read(error);
    if (error != 0) extent.why = missing(Why::kSystem, static_cast<std::uint32_t>(error));
    constexpr std::string_view kKey = "cpu MHz";
    for (std::size_t at = text.find(kKey); at != std::string_view::npos;
         at = text.find(kKey, at + 1)) {
      const std::size_t number = text.find_first_not_of(" \t:", at + kKey.size());
      if (number == std::string_view::npos) break;
      double megahertz = 0;
      const auto result =
          std::from_chars(text.data() + number, text.data() + text.size(), megahertz);
      if (result.ec == std::errc{}) extent.take(megahertz * 1e6);
    }
    extent.give(values);
  }

 private:
  KeptFile file_;
  unsigned every_;
  std::vector<Column> columns_ = columns_from("/proc/cpuinfo");
};

}  // namespace

std::unique_ptr<Columns> processor_columns(const std::string& root) {
  const FileTree tree(root);
  const std::string folder = "/sys/devices/system/cpu";
  std::vector<std::string> paths;
  for (const int cpu : inventory::parse_list(tree.read(folder + "/online").text.value_or(""))
                           .value_or(std::vector<int>())) {
    const std::string path = folder + "/cpu" + std::to_string(cpu) + "/cpufreq/scaling_cur_freq";
    if (tree.exists(path)) paths.push_back(tree.full(path));
  }
  if (!paths.empty()) return std::make_unique<FromCpufreq>(paths);
  const std::string text = tree.read("/proc/cpuinfo").text.value_or("");
  std::size_t count = 0;
  for (std::size_t at = text.find("cpu MHz"); at != std::string::npos;
       at = text.find("cpu MHz", at + 1))
    ++count;
  if (count == 0) return nullptr;
  return std::make_unique<FromCpuinfo>(tree.full("/proc/cpuinfo"), count > 4 ? 16 : 4);
}

}  // namespace rackproof::telemetry
