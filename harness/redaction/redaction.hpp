#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "harness/redaction/identifiers.hpp"
#include "reports/model/report.hpp"

namespace rackproof::redaction {

/// Names for the names of hosts, parts, addresses and users of a report: the same for the same word
/// and key, and no way back without the map.
class Aliases {
 public:
  explicit Aliases(std::string key) : key_(std::move(key)) {}

  /// The alias of a word, which is remembered.
  std::string of(Form form, const std::string& raw);
  const std::map<std::string, std::string>& all() const { return all_; }
  const std::string& key() const { return key_; }

 private:
  std::string key_;
  std::map<std::string, std::string> all_;
};

/// The text of a report without its hosts, UUIDs, serial numbers, network addresses and users.
/// `json` is canonical; the result is JSON of the same form, whose nodes may be out of order.
std::string redacted(const model::Report& report, std::string_view json, Aliases& aliases);

/// The words of `aliases` that are still in the text, upper or lower case.
std::vector<std::string> leaks(std::string_view text, const Aliases& aliases);

/// A word of `length` hexadecimal digits (up to 64) that depends on both texts: HMAC-SHA256.
std::string keyed_digits(const std::string& key, const std::string& text, std::size_t length);

}  // namespace rackproof::redaction
