#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

namespace rackproof::redaction {

/// Ways in which machines, parts and people give themselves away in a text.
enum class Form { kHost, kPart, kUuid, kAddress, kUser };

struct Found {
  std::size_t at = 0;
  std::size_t size = 0;
  Form form = Form::kUuid;
};

/// Words that are looked for wherever they are no part of a longer one (letters and digits), in
/// upper or lower case.
class Vocabulary {
 public:
  void add(const std::string& word, Form form);
  void find_in(std::string_view text, std::vector<Found>& found) const;

 private:
  std::unordered_map<std::string, Form> words_;  ///< in lower case
  std::vector<std::string> odd_;                 ///< those of them that no run of a text can be
};

/// UUIDs, network addresses (IPv4, IPv6, MAC, InfiniBand GUIDs) and names of users in home paths. A
/// text of versions has no addresses of four numbers: 12.9.1.4 is one.
void find_identifiers(std::string_view text, bool versions, std::vector<Found>& found);

bool looks_like_address(std::string_view text);
bool holds_uuid(std::string_view text);

std::string lowered(std::string_view text);

}  // namespace rackproof::redaction
