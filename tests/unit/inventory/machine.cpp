#include "tests/unit/inventory/machine.hpp"

#include <cstdlib>
#include <fstream>
#include <stdexcept>

#include "harness/inventory/file_tree.hpp"

namespace rackproof::inventory {
namespace {

namespace fs = std::filesystem;

/// "/a{0-1}/b" is "/a0/b" and "/a1/b".
std::vector<std::string> repeated(const std::string& path) {
  const std::size_t open = path.find('{');
  if (open == std::string::npos) return {path};
  const std::size_t close = path.find('}', open);
  const auto numbers = parse_list(path.substr(open + 1, close - open - 1));
  if (close == std::string::npos || !numbers) throw std::runtime_error("bad path " + path);
  std::vector<std::string> paths;
  for (const int number : *numbers) {
    paths.push_back(path.substr(0, open) + std::to_string(number) + path.substr(close + 1));
  }
  return paths;
}

const model::Fact& fact_in(const FactSheet& sheet, const std::string& name) {
  const model::Fact* fact = sheet.find(name);
  if (!fact) throw std::runtime_error("no fact " + name);
  return *fact;
}

}  // namespace

Machine::Machine() {
  std::string pattern = (fs::temp_directory_path() / "rackproof-machine-XXXXXX").string();
  if (!::mkdtemp(pattern.data())) throw std::runtime_error("mkdtemp failed");
  root_ = pattern;
}

Machine::Machine(const std::string& name) : Machine() { unpack(name); }

Machine::~Machine() {
  std::error_code ignored;
  fs::remove_all(root_, ignored);
}

void Machine::write(const std::string& path, const std::string& text) const {
  const fs::path file = root_.string() + path;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

void Machine::link(const std::string& path, const std::string& target) const {
  const fs::path file = root_.string() + path;
  fs::create_directories(file.parent_path());
  fs::create_symlink(target, file);
}

void Machine::remove(const std::string& path) const { fs::remove_all(root_.string() + path); }

void Machine::unpack(const std::string& name) const {
  std::ifstream file(std::string(RACKPROOF_SOURCE_DIR) + "/tests/data/inventory/" + name + ".tree");
  if (!file) throw std::runtime_error("no machine " + name);
  std::string path;
  std::string text;
  std::string line;
  const auto finish = [&] {
    if (path.empty()) return;
    for (const std::string& one : repeated(path)) write(one, text);
  };
  while (std::getline(file, line)) {
    if (line.rfind("=== ", 0) != 0) {
      text += line + "\n";
      continue;
    }
    finish();
    text.clear();
    path = line.substr(4);
    const std::size_t arrow = path.find(" -> ");
    if (arrow == std::string::npos) continue;
    link(path.substr(0, arrow), path.substr(arrow + 4));
    path.clear();
  }
  finish();
}

std::string text_in(const FactSheet& sheet, const std::string& name) {
  return std::get<std::string>(fact_in(sheet, name).value.value());
}

double number_in(const FactSheet& sheet, const std::string& name) {
  const auto number = sheet.number(name);
  if (!number)
    throw std::runtime_error("no number " + name + ": " + fact_in(sheet, name).unreadable);
  return *number;
}

bool flag_in(const FactSheet& sheet, const std::string& name) {
  return std::get<bool>(fact_in(sheet, name).value.value());
}

std::string why_in(const FactSheet& sheet, const std::string& name) {
  const model::Fact& fact = fact_in(sheet, name);
  if (fact.value) throw std::runtime_error(name + " has a value");
  return fact.unreadable;
}

}  // namespace rackproof::inventory
