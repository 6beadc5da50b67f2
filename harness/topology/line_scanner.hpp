#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace rackproof::topology {

/// Calls `each(text, number)` for every line of a text, without its ending; numbers begin at 1.
template <class Each>
void for_each_line(std::string_view text, Each each) {
  for (int number = 1; !text.empty(); ++number) {
    const std::size_t end = text.find('\n');
    std::string_view line = text.substr(0, end);
    if (line.ends_with('\r')) line.remove_suffix(1);
    each(line, number);
    text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  }
}

std::string_view trimmed(std::string_view text);

/// Reads one line from its begin to its end.
class LineScanner {
 public:
  LineScanner(const std::string& file, std::string_view line, int number)
      : file_(&file), rest_(line), number_(number) {}

  int number() const { return number_; }
  std::string_view rest() const { return rest_; }
  void skip_blanks();
  /// Whether `text` comes next; then it is passed.
  bool take(std::string_view text);
  /// Throws ConfigError where it does not.
  void expect(std::string_view text, const char* field);
  /// A port of an adapter or a switch, 1 to 255 (both are 8 bits wide, InfiniBand Architecture
  /// Specification, PortInfo:LocalPortNum).
  int port(const char* field);
  /// A whole number that is passed over.
  void number(const char* field);
  /// 1 to 16 hexadecimal digits.
  std::uint64_t guid(const char* field);
  /// Passes everything up to and with `text`; false where that does not come.
  bool skip_past(std::string_view text);
  /// The line as far as it has not been read, between its first and its last double quote: names
  /// of nodes may hold quotes themselves. Throws ConfigError where there is none.
  std::string quoted(const char* field);
  [[noreturn]] void fail(const char* field, const std::string& expected) const;

 private:
  std::uint64_t digits(const char* field, int base, std::uint64_t most);

  const std::string* file_;
  std::string_view rest_;
  int number_;
};

/// Host and device of a name of an adapter such as "gb-07 mlx5_0", which rdma-ndd(8) sets ("%h %d"
/// unless it is told otherwise); both empty where it has any other form.
std::pair<std::string, std::string> host_and_nic(std::string_view name);

}  // namespace rackproof::topology
