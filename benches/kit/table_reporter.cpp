#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>
#include <variant>
#include <vector>

#include "benches/kit/reporter.hpp"
#include "benches/kit/statistics.hpp"
#include "contract/unit.hpp"
#include "contract/words.hpp"

namespace rackproof::kit {
namespace {

std::string text_of(const contract::Scalar& value) {
  return std::visit([](const auto& v) { return fmt::format("{}", v); }, value);
}

std::string text_of(const contract::Parameters& facts) {
  std::vector<std::string> words;
  for (const auto& [key, value] : facts) {
    words.push_back(fmt::format("{}={}", key, text_of(value)));
  }
  return words.empty() ? "" : fmt::format(" ({})", fmt::join(words, ", "));
}

// The unit in which people read `value`: of the same dimension, by a power of a thousand, the
// largest that leaves a number of 1 or more.
contract::Unit scaled_unit(const std::string& base, double value) {
  contract::Unit best = *contract::find_unit(base);
  if (value <= 0) return best;
  for (const contract::Unit& unit : contract::kUnits) {
    const double thousands = std::log10(unit.factor) / 3;
    if (unit.base != base || std::abs(thousands - std::round(thousands)) > 1e-9) continue;
    const bool too_large = best.factor > value;
    const bool smaller = unit.factor < best.factor;
    if (too_large ? smaller : !smaller && unit.factor <= value) best = unit;
  }
  return best;
}

std::string number(double value) {
  if (value == 0) return "0";
  if (value >= 0.001 && value < 1e6) {
    const int digits = 3 - static_cast<int>(std::floor(std::log10(value)));
    return fmt::format("{:.{}f}", value, std::clamp(digits, 0, 6));
  }
  return fmt::format("{:.4g}", value);
}

class TableReporter final : public Reporter {
 public:
  TableReporter(protocol::Sink sink, std::optional<Injection> injection)
      : Reporter(injection), sink_(std::move(sink)) {}

  void hello(const protocol::Hello& record) override {
    comment(
        fmt::format("{}-{} {} ({})", record.bench, record.backend, record.version, record.commit));
    for (const auto& [name, version] : record.libraries) comment(name + " " + version);
    if (!record.fault_injected.empty()) {
      comment("FAULT INJECTED on purpose: " + record.fault_injected + "; nothing below can pass");
    }
  }

  void end(const protocol::End& record) override {
    comment(fmt::format("{} in {} s, {} of {} checks passed", record.reason, number(record.seconds),
                        passed_, checks_));
  }

  void device(protocol::Device record) override {
    comment("device " + record.id + ": " + record.name + text_of(record.facts));
  }
  void token(protocol::Token record) override { comment(record.name + " " + record.value); }
  void phase(std::string /*name*/, double /*fraction*/) override {}
  void note(std::string text, contract::Parameters facts) override {
    comment(text + text_of(facts));
  }

 protected:
  void say(const protocol::Check& record) override {
    ++checks_;
    if (!record.digest.empty()) comment("digest of " + record.name + ": " + record.digest);
    if (record.passed) {
      ++passed_;
    } else {
      comment("WRONG ANSWER " + describe_failure(record));
    }
  }

  void say(protocol::Metric record, bool proved) override {
    std::vector<std::string> names;
    std::vector<std::string> values;
    for (const auto& [key, value] : record.parameters) {
      names.push_back(key);
      values.push_back(text_of(value));
    }
    if (!record.subject.id.empty()) {
      names.emplace_back("subject");
      values.push_back(record.subject.peer.empty() ? record.subject.id
                                                   : record.subject.id + "-" + record.subject.peer);
    }
    header(record, names, values);
    const contract::Unit unit = scaled_unit(record.unit, record.value);
    const auto show = [&](double value) { return number(value / unit.factor); };
    std::string line = fmt::format("  {:<{}}", record.name, name_width_);
    for (std::size_t i = 0; i < values.size(); ++i) {
      line += fmt::format(" {:>{}}", values[i], widths_[i]);
    }
    line += fmt::format(" {:>10} {:<8}", show(record.value), unit.name);
    if (record.samples.empty()) {
      line += fmt::format(" {:>9} {:>9} {:>9} {:>6}", "-", "-", "-", 0);
    } else {
      line += fmt::format(" {:>9} {:>9} {:>9} {:>6}", show(smallest(record.samples)),
                          show(median(record.samples)), show(largest(record.samples)),
                          record.samples.size());
    }
    write(line + (proved ? "  ok" : "  FAILED"));
  }

 private:
  // A new header when the parameters of the rows are others than before, or need more room.
  void header(const protocol::Metric& record, const std::vector<std::string>& names,
              const std::vector<std::string>& values) {
    bool fits =
        names == names_ && record.statistic == statistic_ && record.name.size() <= name_width_;
    for (std::size_t i = 0; fits && i < values.size(); ++i) fits = values[i].size() <= widths_[i];
    if (fits) return;
    name_width_ =
        std::max<std::size_t>({16, record.name.size(), names_ == names ? name_width_ : 0});
    std::vector<std::size_t> widths;
    for (std::size_t i = 0; i < names.size(); ++i) {
      const std::size_t before = names_ == names ? widths_[i] : 0;
      widths.push_back(std::max<std::size_t>({8, names[i].size(), values[i].size(), before}));
    }
    names_ = names;
    statistic_ = record.statistic;
    widths_ = std::move(widths);
    std::string line = fmt::format("# {:<{}}", "metric", name_width_);
    for (std::size_t i = 0; i < names.size(); ++i) {
      line += fmt::format(" {:>{}}", names[i], widths_[i]);
    }
    write("#");
    write(line + fmt::format(" {:>10} {:<8} {:>9} {:>9} {:>9} {:>6}  check",
                             contract::word(record.statistic), "unit", "min", "median", "max",
                             "n"));
  }

  void comment(std::string text) {
    std::replace(text.begin(), text.end(), '\n', ' ');
    write("# " + text);
  }
  void write(const std::string& line) { sink_(line + "\n"); }

  protocol::Sink sink_;
  std::vector<std::string> names_;  // of the columns in the last header
  std::optional<contract::Statistic> statistic_;
  std::vector<std::size_t> widths_;
  std::size_t name_width_ = 0;
  int checks_ = 0;
  int passed_ = 0;
};

}  // namespace

std::unique_ptr<Reporter> make_table_reporter(protocol::Sink sink,
                                              std::optional<Injection> injection) {
  return std::make_unique<TableReporter>(std::move(sink), injection);
}

}  // namespace rackproof::kit
