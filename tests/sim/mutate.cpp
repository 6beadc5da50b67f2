#include "tests/sim/mutate.hpp"

#include <array>
#include <stdexcept>
#include <string>
#include <string_view>

#include "tests/fakes/sealed.hpp"

namespace rackproof::sim {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = text.find(from); at != std::string::npos;
       at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
}

template <class Change>
void change_lines(std::string& bytes, Change change) {
  std::string out;
  std::string_view rest = bytes;
  while (!rest.empty()) {
    const std::size_t newline = rest.find('\n');
    std::string line(rest.substr(0, newline == rest.npos ? rest.npos : newline + 1));
    rest.remove_prefix(line.size());
    if (change(line)) out += line;
  }
  bytes = std::move(out);
}

bool is(const std::string& line, std::string_view kind) {
  return line.find("\"j\":\"" + std::string(kind) + "\"") != std::string::npos;
}

// The attempt of a line, with its quotes; the inventory apart.
std::string attempt_of(const std::string& line) {
  const std::string_view key = "\"attempt\":";
  const std::size_t at = line.find(key);
  if (at == std::string::npos || line.find("/inventory/") != std::string::npos) return "";
  const std::size_t begin = at + key.size();
  return line.substr(begin, line.find('"', begin + 1) + 1 - begin);
}

void lose_result(std::string& bytes) {
  change_lines(bytes, [](const std::string& line) {
    return attempt_of(line).empty() || line.find("\\\"kind\\\":\\\"metric\\\"") == line.npos;
  });
}

void ignore_check(std::string& bytes) {
  replace_all(bytes, R"(\"passed\":false)", R"(\"passed\":true)");
  replace_all(bytes, R"(\"wrong\":3)", R"(\"wrong\":0)");
  replace_all(bytes, R"(\"exit_code\":4)", R"(\"exit_code\":0)");
  replace_all(bytes, R"("code":4,)", R"("code":0,)");
}

void ignore_nonce(std::string& bytes) {
  change_lines(bytes, [](std::string& line) {
    const std::string attempt = attempt_of(line);
    if (attempt.size() < 2 || !is(line, "out")) return true;
    const std::string own = attempt.substr(1, attempt.size() - 2);
    replace_all(line, own + "0\\\"", own + "\\\"");
    return true;
  });
}

void ignore_signal(std::string& bytes) { replace_all(bytes, "\"signal\":6", "\"code\":0"); }

void ignore_load(std::string& bytes) { replace_all(bytes, "\"load\":", "\"lode\":"); }

void forget_cell(std::string& bytes) {
  int cells = 0;
  change_lines(bytes, [&](const std::string& line) { return !is(line, "cell") || ++cells != 2; });
}

void forget_loss(std::string& bytes) {
  change_lines(bytes, [](const std::string& line) { return !is(line, "rank_lost"); });
  replace_all(bytes, "\"rank-gone\"", "\"finished\"");
}

void blame_another(std::string& bytes) {
  change_lines(bytes, [](std::string& line) {
    if (!is(line, "rank_lost")) return true;
    const std::string_view key = "\"rank\":";
    const std::size_t at = line.find(key) + key.size();
    line.replace(at, 1, line[at] == '0' ? "1" : "0");
    return true;
  });
}

struct Named {
  Mutant mutant;
  const char* name;
  void (*change)(std::string& bytes);
};
constexpr std::array<Named, 9> kMutants = {{
    {Mutant::kResultLost, "result-lost", lose_result},
    {Mutant::kCheckIgnored, "check-ignored", ignore_check},
    {Mutant::kNonceIgnored, "nonce-ignored", ignore_nonce},
    {Mutant::kSignalIgnored, "signal-ignored", ignore_signal},
    {Mutant::kLoadIgnored, "load-ignored", ignore_load},
    {Mutant::kCellForgotten, "cell-forgotten", forget_cell},
    {Mutant::kLossForgotten, "loss-forgotten", forget_loss},
    {Mutant::kOtherRankBlamed, "other-rank-blamed", blame_another},
    {Mutant::kLineUnheard, "line-unheard", lose_result},
}};

}  // namespace

Mutant mutant_of(const std::string& name) {
  for (const Named& one : kMutants) {
    if (name == one.name) return one.mutant;
  }
  throw std::invalid_argument("there is no mutant " + name);
}

const std::vector<std::string>& mutant_names() {
  static const std::vector<std::string> kNames = [] {
    std::vector<std::string> names;
    for (const Named& one : kMutants) names.emplace_back(one.name);
    return names;
  }();
  return kNames;
}

void mutate(Mutant mutant, std::vector<assemble::JournalFile>& journals) {
  for (const Named& one : kMutants) {
    if (one.mutant != mutant) continue;
    for (assemble::JournalFile& file : journals) {
      std::string bytes = fakes::unsealed(file.bytes);
      one.change(bytes);
      file.bytes = fakes::sealed(bytes);
    }
  }
}

}  // namespace rackproof::sim
