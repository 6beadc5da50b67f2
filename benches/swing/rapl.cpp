#include "benches/swing/rapl.hpp"

#include <fcntl.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <fstream>
#include <string_view>

namespace rackproof::swing {
namespace {

namespace fs = std::filesystem;

std::string line_of(const fs::path& file) {
  std::ifstream in(file);
  std::string line;
  std::getline(in, line);
  return line;
}

std::optional<double> number(std::string_view text) {
  while (!text.empty() && (text.back() == '\n' || text.back() == ' ')) text.remove_suffix(1);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (error != std::errc() || end != text.data() + text.size() || value < 0) return std::nullopt;
  return value;
}

std::optional<double> read_number(int file) {
  std::array<char, 32> text{};
  const ssize_t got = pread(file, text.data(), text.size(), 0);
  if (got <= 0) return std::nullopt;
  return number({text.data(), static_cast<std::size_t>(got)});
}

// Packages are intel-rapl:N, of AMD's processors too; intel-rapl:N:M is a part of one.
std::vector<fs::path> packages_in(const fs::path& root) {
  std::vector<fs::path> found;
  std::error_code error;
  for (const auto& entry : fs::directory_iterator(root / "sys/class/powercap", error)) {
    if (line_of(entry.path() / "name").starts_with("package-")) found.push_back(entry.path());
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<double> long_term_watts(const fs::path& folder) {
  if (line_of(folder / "constraint_0_name") != "long_term") return std::nullopt;
  const auto microwatts = number(line_of(folder / "constraint_0_power_limit_uw"));
  if (!microwatts || *microwatts == 0) return std::nullopt;
  return *microwatts * 1e-6;
}

}  // namespace

Rapl::Rapl(const fs::path& root) {
  double limit = 0;
  bool limited = true;
  for (const fs::path& folder : packages_in(root)) {
    open(folder);
    if (lack_ != Lack::kNothing) {
      close();
      return;
    }
    const auto watts = long_term_watts(folder);
    limited = limited && watts;
    limit += watts.value_or(0);
  }
  if (!packages_.empty() && limited) limit_ = limit;
}

Rapl::~Rapl() { close(); }

void Rapl::open(const fs::path& folder) {
  Package package;
  package.file = ::open((folder / "energy_uj").c_str(), O_RDONLY | O_CLOEXEC);
  const auto range = number(line_of(folder / "max_energy_range_uj"));
  const auto now = package.file < 0 ? std::nullopt : read_number(package.file);
  if (package.file >= 0) packages_.push_back(package);
  lack_ = range && now ? Lack::kNothing : Lack::kNotReadable;
  if (lack_ != Lack::kNothing) return;
  packages_.back().range = *range;
  packages_.back().last = *now;
}

void Rapl::close() {
  for (const Package& package : packages_) ::close(package.file);
  packages_.clear();
}

std::optional<double> Rapl::joules() {
  if (packages_.empty()) return std::nullopt;
  double sum = 0;
  for (Package& package : packages_) {
    const auto now = read_number(package.file);
    if (!now) return std::nullopt;
    const double more = *now - package.last;
    package.sum += more >= 0 ? more : more + package.range;
    package.last = *now;
    sum += package.sum;
  }
  return sum * 1e-6;
}

}  // namespace rackproof::swing
