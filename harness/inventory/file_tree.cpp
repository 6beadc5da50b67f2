#include "harness/inventory/file_tree.hpp"

#include <dirent.h>
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <memory>
#include <set>
#include <sstream>
#include <system_error>

namespace rackproof::inventory {
namespace {

constexpr std::size_t kLargestFile = std::size_t{1} << 20;
constexpr int kLargestListed = 1 << 20;

class Descriptor {
 public:
  explicit Descriptor(int number) : number_(number) {}
  ~Descriptor() {
    if (number_ >= 0) ::close(number_);
  }
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  int number() const { return number_; }

 private:
  int number_;
};

std::string error_text(int error) { return std::system_category().message(error); }

template <typename Number>
std::optional<Number> whole_number(const std::string& text) {
  const std::string body = trimmed(text);
  Number value{};
  const auto [end, error] = std::from_chars(body.data(), body.data() + body.size(), value);
  if (error != std::errc{} || end != body.data() + body.size()) return std::nullopt;
  return value;
}

}  // namespace

Reading FileTree::read(const std::string& path) const {
  Reading reading{path, std::nullopt, ""};
  const Descriptor file(::open(full(path).c_str(), O_RDONLY | O_NONBLOCK | O_CLOEXEC));
  if (file.number() < 0) {
    reading.why = error_text(errno);
    return reading;
  }
  struct stat status {};
  if (::fstat(file.number(), &status) != 0 || !S_ISREG(status.st_mode)) {
    reading.why = "not a regular file";
    return reading;
  }
  std::string text;
  std::array<char, 4096> chunk{};
  while (text.size() < kLargestFile) {
    const ssize_t count = ::read(file.number(), chunk.data(), chunk.size());
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) {
      reading.why = error_text(errno);
      return reading;
    }
    if (count == 0) break;
    text.append(chunk.data(), static_cast<std::size_t>(count));
  }
  reading.text = trimmed(text);
  return reading;
}

std::optional<long long> FileTree::integer(const std::string& path) const {
  const Reading reading = read(path);
  return reading.text ? to_integer(*reading.text) : std::nullopt;
}

bool FileTree::exists(const std::string& path) const {
  return ::access(full(path).c_str(), F_OK) == 0;
}

bool FileTree::executable(const std::string& path) const {
  struct stat status {};
  return ::stat(full(path).c_str(), &status) == 0 && S_ISREG(status.st_mode) &&
         ::access(full(path).c_str(), X_OK) == 0;
}

std::vector<std::string> FileTree::names(const std::string& folder) const {
  std::vector<std::string> found;
  const std::unique_ptr<DIR, int (*)(DIR*)> handle(::opendir(full(folder).c_str()), ::closedir);
  if (!handle) return found;
  while (const dirent* entry = ::readdir(handle.get())) {
    const std::string name = static_cast<const char*>(entry->d_name);
    if (name != "." && name != "..") found.push_back(name);
  }
  std::sort(found.begin(), found.end());
  return found;
}

std::optional<std::string> FileTree::link_target(const std::string& path) const {
  std::error_code error;
  const std::filesystem::path target = std::filesystem::read_symlink(full(path), error);
  if (error) return std::nullopt;
  return target.string();
}

std::optional<std::string> FileTree::link_name(const std::string& path) const {
  const std::filesystem::path target = link_target(path).value_or("");
  if (target.filename().empty()) return std::nullopt;
  return target.filename().string();
}

std::string trimmed(const std::string& text) {
  const std::string blank(" \t\r\n\f\v\0", 7);
  const std::size_t first = text.find_first_not_of(blank);
  if (first == std::string::npos) return "";
  return text.substr(first, text.find_last_not_of(blank) - first + 1);
}

std::optional<long long> to_integer(const std::string& text) {
  return whole_number<long long>(text);
}

std::optional<double> to_number(const std::string& text) {
  const std::optional<double> value = whole_number<double>(text);
  return value && std::isfinite(*value) ? value : std::nullopt;
}

std::optional<std::vector<int>> parse_list(const std::string& text) {
  std::set<int> numbers;
  std::istringstream parts(trimmed(text));
  std::string part;
  while (std::getline(parts, part, ',')) {
    const std::size_t dash = part.find('-');
    const auto low = to_integer(part.substr(0, dash));
    const auto high = dash == std::string::npos ? low : to_integer(part.substr(dash + 1));
    if (!low || !high || *low < 0 || *high < *low || *high >= kLargestListed) return std::nullopt;
    for (long long number = *low; number <= *high; ++number) {
      numbers.insert(static_cast<int>(number));
    }
  }
  return std::vector<int>(numbers.begin(), numbers.end());
}

std::vector<std::string> words_of(const std::string& text) {
  std::istringstream stream(text);
  std::vector<std::string> words;
  std::string word;
  while (stream >> word) words.push_back(word);
  return words;
}

std::optional<std::string> line_value(const std::string& text, const std::string& key,
                                      char separator) {
  std::istringstream lines(text);
  std::string line;
  while (std::getline(lines, line)) {
    const std::size_t at = line.find(separator);
    if (at != std::string::npos && trimmed(line.substr(0, at)) == key) {
      return trimmed(line.substr(at + 1));
    }
  }
  return std::nullopt;
}

}  // namespace rackproof::inventory
