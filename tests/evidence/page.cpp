#include "tests/evidence/page.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <fstream>

#include "tests/evidence/allowed.hpp"
#include "tests/evidence/fates.hpp"

namespace rackproof::evidence {
namespace {

std::vector<std::string> allowed_in(const std::string& kind, const Table& table) {
  std::vector<std::string> out;
  for (const Allowed& one : allowed()) {
    const auto row = table.find(std::string(one.pattern));
    if (one.kind == kind && (row == table.end() || !row->second.skipped))
      out.push_back(fmt::format("{} {}: {}", kind, one.pattern, word(one.spoil)));
  }
  return out;
}

void compare(const Kind& kind, const Table& table, std::vector<std::string>& problems) {
  const std::vector<std::string> better = better_in(kind, table);
  const std::vector<std::string> right = allowed_in(kind.name, table);
  for (const std::string& one : better) {
    if (std::find(right.begin(), right.end(), one) == right.end()) {
      problems.push_back(one + ": judged better");
    }
  }
  for (const std::string& one : right) {
    if (std::find(better.begin(), better.end(), one) == better.end()) {
      problems.push_back(one + ": allowed to be judged better, and is not");
    }
  }
}

}  // namespace

Words words_of(const Kind& kind) {
  if (kind.schema.empty()) return {};
  std::ifstream file(std::string(RACKPROOF_SOURCE_DIR) + "/" + kind.schema);
  return described_by(nlohmann::json::parse(file));
}

Page make_page(const std::vector<Kind>& kinds) {
  Page page;
  page.text = "\n## Judged better, and rightly\n\n| what | spoil | why |\n|---|---|---|\n";
  for (const Allowed& one : allowed()) {
    page.text +=
        fmt::format("| {} `{}` | {} | {} |\n", one.kind, one.pattern, word(one.spoil), one.why);
  }
  for (const Kind& kind : kinds) {
    const Words words = words_of(kind);
    const Table table = fates_of(kind, words);
    compare(kind, table, page.problems);
    page.text += "\n" + to_markdown(kind, table, words);
  }
  return page;
}

}  // namespace rackproof::evidence
