#include "harness/ledger/strips.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "reports/html/markup.hpp"
#include "reports/model/utc.hpp"
#include "reports/model/words.hpp"

namespace rackproof::ledger {
namespace {

using model::Outcome;

constexpr double kDaySeconds = 86400;
constexpr int kWidth = 10;  // of a column
constexpr int kHeight = 24;
constexpr std::size_t kInOneDay = 4;

std::int64_t day_of(double seconds) {
  // What no clock says would be no number either.
  return static_cast<std::int64_t>(std::floor(std::clamp(seconds, 0.0, 1e12) / kDaySeconds));
}

// Graver is higher, so that colour is not all.
int height_of(const std::optional<Outcome>& look) {
  if (!look) return 3;
  switch (*look) {
    case Outcome::kFail:
      return kHeight;
    case Outcome::kUntested:
    case Outcome::kUnjudged:
      return 17;
    case Outcome::kPass:
    case Outcome::kVerified:
    case Outcome::kWaived:
      return 10;
  }
  return kHeight;
}

std::string class_of(const std::optional<Outcome>& look) {
  return look ? std::string(contract::word(*look)) : "none";
}

}  // namespace

Days::Days(const std::vector<RunRef>& runs) {
  std::set<std::int64_t> days;
  for (const RunRef& run : runs) days.insert(day_of(run.began_seconds));
  all_ = days.size() <= kColumns;
  while (days.size() > kColumns) days.erase(days.begin());
  for (const std::int64_t day : days) column_of_.emplace(day, column_of_.size());
}

bool Days::has(double began_seconds) const { return column_of_.count(day_of(began_seconds)) > 0; }

std::string Days::axis() const {
  if (column_of_.empty()) return "";
  const auto name = [](std::int64_t day) {
    return model::utc_text(day * static_cast<std::int64_t>(kDaySeconds) * 1'000'000'000)
        .substr(0, 10);
  };
  std::string text = fmt::format("<span class=\"axis\" style=\"max-width:{}px\"><span>{}</span>",
                                 columns() * kWidth, name(column_of_.begin()->first));
  if (columns() > 1) text += "<span>" + name(column_of_.rbegin()->first) + "</span>";
  return text + "</span>";
}

std::string Days::strip(const std::vector<Mark>& marks) const {
  std::map<std::size_t, std::vector<const Mark*>> of_day;
  for (const Mark& mark : marks) {
    const auto column = column_of_.find(day_of(mark.began_seconds));
    if (column == column_of_.end()) continue;
    std::vector<const Mark*>& day = of_day[column->second];
    if (day.size() < kInOneDay) day.push_back(&mark);
  }
  const std::size_t width = columns() * kWidth;
  std::string boxes;
  std::map<std::string, std::string> unlinked;  // the outline of each look
  for (const auto& [column, day] : of_day) {
    const double each = (kWidth - 2.0) / static_cast<double>(day.size());
    for (std::size_t i = 0; i < day.size(); ++i) {
      const Mark& mark = *day[day.size() - 1 - i];  // the older one to the left
      const int height = height_of(mark.look);
      const std::string outline =
          fmt::format("M{:g},{}h{:.3g}v{}h-{:.3g}z",
                      static_cast<double>(column * kWidth + 1) + each * static_cast<double>(i),
                      kHeight - height, each, height, each);
      if (mark.link.empty()) {
        unlinked[class_of(mark.look)] += outline;
      } else {
        boxes += fmt::format(
            "<a href=\"{}\" tabindex=\"-1\"><path class=\"{}\" d=\"{}\"><title>{}</title></path>"
            "</a>",
            mark.link, class_of(mark.look), outline, html::plain(mark.title, 200));
      }
    }
  }
  for (const auto& [look, outline] : unlinked) {
    boxes += fmt::format("<path class=\"{}\" d=\"{}\"/>", look, outline);
  }
  return fmt::format(
      "<svg class=\"strip\" viewBox=\"0 0 {0} {1}\" width=\"{0}\" height=\"{1}\" "
      "preserveAspectRatio=\"none\" aria-hidden=\"true\"><path class=\"ground\" "
      "d=\"M0,{1}h{0}v-1h-{0}z\"/>{2}</svg>",
      width, kHeight, boxes);
}

}  // namespace rackproof::ledger
