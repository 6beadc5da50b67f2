#include "benches/kit/options.hpp"

#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <functional>
#include <limits>
#include <numeric>
#include <utility>

#include "benches/kit/errors.hpp"

namespace rackproof::kit {
namespace {

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 0; i < a.size(); ++i) {
    std::size_t diagonal = std::exchange(row[0], i + 1);
    for (std::size_t j = 0; j < b.size(); ++j) {
      const std::size_t replaced = diagonal + (a[i] == b[j] ? 0 : 1);
      diagonal = row[j + 1];
      row[j + 1] = std::min({row[j] + 1, row[j + 1] + 1, replaced});
    }
  }
  return row.back();
}

// "; did you mean X?" for the nearest of `known`, or nothing when none is near.
std::string suggestion(std::string_view word, const std::vector<std::string>& known) {
  const std::string* nearest = nullptr;
  std::size_t least = std::max<std::size_t>(2, word.size() / 3) + 1;
  for (const std::string& candidate : known) {
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      nearest = &candidate;
    }
  }
  return nearest == nullptr ? "" : "; did you mean " + *nearest + "?";
}

std::vector<std::string> split(std::string_view text) {
  std::vector<std::string> words;
  while (true) {
    const std::size_t comma = text.find(',');
    words.emplace_back(text.substr(0, comma));
    if (comma == std::string_view::npos) return words;
    text.remove_prefix(comma + 1);
  }
}

template <class Number>
bool read_whole(std::string_view text, Number& value) {
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size();
}

template <class Number>
void demand_range(const std::string& option, Number value, Number low, Number high) {
  if (value < low || value > high) {
    throw UsageError(fmt::format("{} takes {} to {}, not {}", option, low, high, value));
  }
}

void demand_known(const std::string& option, const std::string& word,
                  const std::vector<std::string>& allowed) {
  if (std::find(allowed.begin(), allowed.end(), word) != allowed.end()) return;
  throw UsageError(fmt::format("{} takes {}, not '{}'{}", option, fmt::join(allowed, ", "), word,
                               suggestion(word, allowed)));
}

struct Line {
  std::string left;
  std::string right;
};

}  // namespace

struct Options::Impl {
  std::string program;
  std::string summary;
  std::string example;
  CLI::App app;
  std::vector<Line> lines;
  std::vector<std::string> names;
  bool help = false;
  bool version = false;

  std::string describe(std::string_view name, std::string_view form, std::string_view help_text,
                       const std::string& standard) {
    std::string option = "--" + std::string(name);
    names.push_back(option);
    std::string right(help_text);
    if (!standard.empty()) right += " [" + standard + "]";
    lines.push_back({form.empty() ? option : fmt::format("{} {}", option, form), right});
    return option;
  }

  // An option with one value, which `read` turns into the target or refuses with a UsageError.
  void value(const std::string& option, const std::function<void(const std::string&)>& read) {
    app.add_option_function<std::string>(option, read);
  }
};

Options::Options(std::string program, std::string summary, std::string example)
    : impl_(std::make_unique<Impl>()) {
  impl_->program = std::move(program);
  impl_->summary = std::move(summary);
  impl_->example = std::move(example);
  impl_->app.set_help_flag();
  impl_->app.allow_extras();
}

Options::~Options() = default;

void Options::flag(std::string_view name, bool& target, std::string_view help) {
  impl_->app.add_flag(impl_->describe(name, "", help, ""), target);
}

void Options::integer(std::string_view name, std::int64_t& target, std::int64_t low,
                      std::int64_t high, std::string_view help) {
  const std::string option = impl_->describe(name, "N", help, std::to_string(target));
  impl_->value(option, [option, &target, low, high](const std::string& word) {
    std::int64_t value = 0;
    if (!read_whole(word, value)) {
      throw UsageError(
          fmt::format("{} takes a whole number {} to {}, not '{}'", option, low, high, word));
    }
    demand_range(option, value, low, high);
    target = value;
  });
}

void Options::number(std::string_view name, double& target, double low, double high,
                     std::string_view help) {
  const std::string option = impl_->describe(name, "X", help, fmt::format("{}", target));
  impl_->value(option, [option, &target, low, high](const std::string& word) {
    double value = 0;
    if (!read_whole(word, value) || !std::isfinite(value)) {
      throw UsageError(
          fmt::format("{} takes a number {} to {}, not '{}'", option, low, high, word));
    }
    demand_range(option, value, low, high);
    target = value;
  });
}

void Options::text(std::string_view name, std::string& target, std::string_view help) {
  impl_->value(impl_->describe(name, "TEXT", help, target),
               [&target](const std::string& word) { target = word; });
}

void Options::choice(std::string_view name, std::string& target, std::vector<std::string> allowed,
                     std::string_view help) {
  const std::string option =
      impl_->describe(name, fmt::format("{}", fmt::join(allowed, "|")), help, target);
  impl_->value(option, [option, &target, allowed = std::move(allowed)](const std::string& word) {
    demand_known(option, word, allowed);
    target = word;
  });
}

void Options::choices(std::string_view name, std::vector<std::string>& target,
                      std::vector<std::string> allowed, std::string_view help) {
  const std::string option =
      impl_->describe(name, "LIST", fmt::format("{}: {}", help, fmt::join(allowed, ", ")),
                      fmt::format("{}", fmt::join(target, ",")));
  impl_->value(option, [option, &target, allowed = std::move(allowed)](const std::string& text) {
    const std::vector<std::string> words = split(text);
    for (auto word = words.begin(); word != words.end(); ++word) {
      demand_known(option, *word, allowed);
      if (std::find(words.begin(), word, *word) != word) {
        throw UsageError(fmt::format("{} names '{}' twice", option, *word));
      }
    }
    target = words;
  });
}

void Options::list(std::string_view name, std::vector<std::string>& target, std::string_view help) {
  const std::string option =
      impl_->describe(name, "LIST", help, fmt::format("{}", fmt::join(target, ",")));
  impl_->value(option, [option, &target](const std::string& text) {
    std::vector<std::string> words = split(text);
    if (std::find(words.begin(), words.end(), "") != words.end()) {
      throw UsageError(option + " has an empty word in '" + text + "'");
    }
    target = std::move(words);
  });
}

void Options::bytes(std::string_view name, std::int64_t& target, std::int64_t low,
                    std::int64_t high, std::string_view help) {
  const std::string option =
      impl_->describe(name, "SIZE", help, target == 0 ? "" : std::to_string(target));
  impl_->value(option, [option, &target, low, high](const std::string& word) {
    std::int64_t value = 0;
    try {
      value = parse_bytes(word);
    } catch (const UsageError& error) {
      throw UsageError(option + ": " + error.what());
    }
    demand_range(option, value, low, high);
    target = value;
  });
}

void Options::parse(const std::vector<std::string>& arguments) {
  const auto asked = [&](std::string_view word) {
    return std::find(arguments.begin(), arguments.end(), word) != arguments.end();
  };
  // Someone who asks for help gets it, whatever else is on the line.
  impl_->help = asked("--help") || asked("-h");
  impl_->version = !impl_->help && asked("--version");
  if (impl_->help || impl_->version) return;
  try {
    impl_->app.parse(std::vector<std::string>(arguments.rbegin(), arguments.rend()));
  } catch (const CLI::Error& error) {
    throw UsageError(error.what());
  }
  const std::vector<std::string> extras = impl_->app.remaining();
  if (extras.empty()) return;
  const std::string word = extras.front().substr(0, extras.front().find('='));
  if (!word.starts_with('-')) throw UsageError("a word that belongs to no option: '" + word + "'");
  throw UsageError("unknown option " + word + suggestion(word, impl_->names) +
                   " (--help lists them)");
}

bool Options::help_asked() const { return impl_->help; }
bool Options::version_asked() const { return impl_->version; }

std::string Options::help() const {
  constexpr std::size_t kColumn = 34;
  std::string text = fmt::format("Example:\n  {}\n\n{}: {}\n\nOptions:\n", impl_->example,
                                 impl_->program, impl_->summary);
  std::vector<Line> lines = impl_->lines;
  lines.push_back({"--help", "this text"});
  lines.push_back({"--version", "version, commit and build type"});
  for (const Line& line : lines) {
    const std::string_view gap = line.left.size() + 2 > kColumn ? "\n" : "";
    const std::size_t pad = gap.empty() ? kColumn - line.left.size() : kColumn + 2;
    text += fmt::format("  {}{}{:{}}{}\n", line.left, gap, "", pad, line.right);
  }
  return text;
}

std::int64_t parse_bytes(std::string_view text) {
  struct Suffix {
    std::string_view name;
    std::int64_t factor;
  };
  constexpr std::int64_t kKi = 1024;
  static constexpr std::array kSuffixes = {
      Suffix{"", 1},
      Suffix{"B", 1},
      Suffix{"K", kKi},
      Suffix{"k", kKi},
      Suffix{"M", kKi * kKi},
      Suffix{"G", kKi * kKi * kKi},
      Suffix{"T", kKi * kKi * kKi * kKi},
      Suffix{"KiB", kKi},
      Suffix{"MiB", kKi * kKi},
      Suffix{"GiB", kKi * kKi * kKi},
      Suffix{"TiB", kKi * kKi * kKi * kKi},
      Suffix{"kB", 1000},
      Suffix{"KB", 1000},
      Suffix{"MB", 1'000'000},
      Suffix{"GB", 1'000'000'000},
      Suffix{"TB", 1'000'000'000'000},
  };
  std::int64_t value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  const std::string_view rest = text.substr(static_cast<std::size_t>(end - text.data()));
  if (error == std::errc() && value >= 0) {
    for (const Suffix& suffix : kSuffixes) {
      if (rest != suffix.name) continue;
      if (value > std::numeric_limits<std::int64_t>::max() / suffix.factor) break;
      return value * suffix.factor;
    }
  }
  throw UsageError("'" + std::string(text) +
                   "' is no number of bytes such as 4096, 32M (32 x 1024 x 1024), 512MiB or 1GB");
}

}  // namespace rackproof::kit
