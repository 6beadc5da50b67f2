#include "benches/swing/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "benches/swing/beats.hpp"
#include "benches/swing/power.hpp"
#include "benches/swing/shape.hpp"

namespace rackproof::swing {
namespace {

// More of them would be a comb.
constexpr std::int64_t kBeatsDrawn = 8;
constexpr double kWide = 900;
constexpr double kHigh = 220;
constexpr double kLeft = 64;
constexpr double kBottom = 34;
constexpr double kTop = 12;

constexpr const char* kHead =
    R"(<!DOCTYPE html>
<html lang="en" xmlns="http://www.w3.org/1999/xhtml"><head><meta charset="utf-8" />
<meta name="viewport" content="width=device-width, initial-scale=1" /><title>rackproof swing</title>
<style>
:root { color-scheme: light dark; --ink: #1c2127; --soft: #5c6773; --paper: #ffffff; --grid: #d8dee4;
  --plan: #dfe7f2; --power: #0b5cad; --load: #a3470a }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ec; --soft: #a3adb8; --paper: #15191e;
  --grid: #3a434d; --plan: #25344a; --power: #6cb2ff; --load: #f0a35e } }
body { margin: 0 auto; max-width: 60rem; padding: 1.5rem 1rem 3rem; background: var(--paper);
  color: var(--ink); font: 16px/1.5 system-ui, sans-serif }
h1 { font-size: 1.5rem; margin: 0 0 .5rem } h2 { font-size: 1.1rem; margin: 2rem 0 .25rem }
p { margin: .25rem 0; color: var(--soft); overflow-wrap: anywhere }
svg { display: block; width: 100%; height: auto; margin: .5rem 0 }
text { fill: var(--soft); font: 13px system-ui, sans-serif }
.plan { fill: var(--plan) } .grid { stroke: var(--grid) } .power, .load { fill: none; stroke-width: 1.5 }
.power { stroke: var(--power) } .load { stroke: var(--load); stroke-dasharray: 5 3 }
.key span { display: inline-block; width: 1.5rem; border-top: 3px solid; vertical-align: middle; margin: 0 .35rem 0 1rem }
</style></head><body><main>
<h1>A load that swings</h1>
)";

std::string escaped(const std::string& text) {
  std::string safe;
  for (const char letter : text) {
    switch (letter) {
      case '&':
        safe += "&amp;";
        break;
      case '<':
        safe += "&lt;";
        break;
      case '>':
        safe += "&gt;";
        break;
      default:
        safe += static_cast<unsigned char>(letter) < ' ' ? ' ' : letter;
    }
  }
  return safe;
}

// A round number not below `value`: 1, 2 or 5 times a power of ten.
double round_up(double value) {
  if (!(value > 0)) return 1;
  const double unit = std::pow(10, std::floor(std::log10(value)));
  for (const double step : {1.0, 2.0, 5.0}) {
    if (step * unit >= value) return step * unit;
  }
  return 10 * unit;
}

class Chart {
 public:
  Chart(double seconds, double most) : seconds_(seconds), most_(most) {}

  double x(double at) const { return kLeft + at / seconds_ * (kWide - kLeft); }
  double y(double value) const { return kTop + (1 - value / most_) * (kHigh - kTop - kBottom); }

  // A value for each bin, as steps from edge to edge of the bins.
  std::string steps(const std::vector<double>& values, double width, double scale) const {
    std::string points;
    for (std::size_t bin = 0; bin < values.size(); ++bin) {
      const double height = y(values[bin] * scale);
      for (const std::size_t edge : {bin, bin + 1}) {
        points += fmt::format("{:.1f},{:.1f} ", x(static_cast<double>(edge) * width), height);
      }
    }
    return points;
  }

  std::string axes(const std::string& unit) const {
    std::string svg;
    for (const double part : {0.0, 0.5, 1.0}) {
      const double value = part * most_;
      svg += fmt::format(
          R"(<line class="grid" x1="{0}" x2="{1}" y1="{2:.1f}" y2="{2:.1f}" /><text x="{3}" y="{4:.1f}" text-anchor="end">{5:g}{6}</text>)",
          kLeft, kWide, y(value), kLeft - 6, y(value) + 4, value, part == 1 ? " " + unit : "");
    }
    for (const double part : {0.0, 0.25, 0.5, 0.75, 1.0}) {
      svg += fmt::format(R"(<text x="{:.1f}" y="{}" text-anchor="{}">{:.3g}{}</text>)",
                         x(part * seconds_), kHigh - 10,
                         part == 0   ? "start"
                         : part == 1 ? "end"
                                     : "middle",
                         part * seconds_, part == 1 ? " s" : "");
    }
    return svg;
  }

 private:
  double seconds_;
  double most_;
};

double largest_of(const std::vector<double>& values) {
  return values.empty() ? 0 : *std::max_element(values.begin(), values.end());
}

// `watts` is the top of all charts, so that they can be compared.
std::string chart_of(const Drawn& run, double watts) {
  const bool power = !run.power.empty();
  const double seconds = run.width * static_cast<double>(run.schedule.size());
  const double most = power ? watts : 1;
  const Chart chart(seconds, most);
  std::string svg =
      fmt::format(R"(<svg viewBox="0 0 {} {}" role="img" aria-label="{} of {} over its schedule">)",
                  kWide, kHigh, power ? "power" : "load", escaped(run.title));
  svg += fmt::format(R"(<polygon class="plan" points="{0:.1f},{2:.1f} {3}{1:.1f},{2:.1f}" />)",
                     chart.x(0), chart.x(seconds), chart.y(0),
                     chart.steps(run.schedule, run.width, most));
  svg += chart.axes(power ? "W" : "");
  const double work = largest_of(run.load);
  // As high as the schedule: what lacks to it is what ought to have been computed.
  const double top = most * largest_of(run.schedule);
  if (work > 0) {
    svg += fmt::format(R"(<polyline class="load" points="{}" />)",
                       chart.steps(run.load, run.width, top / work));
  }
  if (power) {
    svg += fmt::format(R"(<polyline class="power" points="{}" />)",
                       chart.steps(run.power, run.width, 1));
  }
  return svg + "</svg>\n";
}

template <class Values>
Values first_of(const Values& values, std::size_t count) {
  return {values.begin(),
          values.begin() + static_cast<std::ptrdiff_t>(std::min(count, values.size()))};
}

// How many of the ranks ought to compute in each bin of a square wave, which begins with a beat.
std::vector<double> schedule_of(const Run& run, const Config& config, std::int64_t ranks,
                                std::size_t bins) {
  std::vector<double> phases(static_cast<std::size_t>(ranks), 0);
  if (!run.in_phase) {
    phases = spread_phases(ranks, static_cast<std::uint64_t>(config.seed + run.round));
  }
  std::vector<double> shares;
  for (std::size_t bin = 0; bin < bins; ++bin) {
    const double at = (static_cast<double>(bin) + 0.5) / static_cast<double>(kBinsOfBeat);
    const auto on = std::count_if(phases.begin(), phases.end(), [&](double phase) {
      const double within = at - phase;
      return within - std::floor(within) < config.duty;
    });
    shares.push_back(static_cast<double>(on) / static_cast<double>(ranks));
  }
  return shares;
}

}  // namespace

Drawn drawn_of(const Run& run, const Config& config, std::int64_t ranks, const Collected& all,
               std::string about) {
  Drawn drawn{title_of(run, ranks), std::move(about), 0, {}, {}, {}};
  std::size_t bins = all.load.size();
  if (run.kind == Run::Kind::kRamp) {
    drawn.width = 1 / run.frequency;
    drawn.schedule = ramp_shares(static_cast<std::int64_t>(bins / 3));
  } else {
    drawn.width = 1 / (run.frequency * static_cast<double>(kBinsOfBeat));
    bins = std::min(bins, static_cast<std::size_t>(kBeatsDrawn * kBinsOfBeat));
    drawn.schedule = schedule_of(run, config, ranks, bins);
  }
  drawn.schedule = first_of(drawn.schedule, bins);
  drawn.load = first_of(all.load, bins);
  if (all.power && resolves(all.power->interval, run.frequency)) {
    drawn.power = first_of(all.power->watts, bins);
  }
  return drawn;
}

std::string page_of(const std::vector<Drawn>& runs, const std::vector<std::string>& about) {
  std::string page = kHead;
  for (const std::string& line : about) page += "<p>" + escaped(line) + "</p>\n";
  page +=
      R"key(<p class="key"><span style="border-color: var(--plan)"></span>schedule<span style="border-color: var(--power)"></span>power of all<span style="border-color: var(--load)"></span>work of all, its highest as high as the schedule</p>
)key";
  double watts = 0;
  for (const Drawn& run : runs) watts = std::max(watts, largest_of(run.power));
  for (const Drawn& run : runs) {
    page += "<h2>" + escaped(run.title) + "</h2>\n" + chart_of(run, round_up(watts)) + "<p>" +
            escaped(run.about) + "</p>\n";
  }
  return page + "</main></body></html>\n";
}

}  // namespace rackproof::swing
