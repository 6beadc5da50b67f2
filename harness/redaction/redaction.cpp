#include "harness/redaction/redaction.hpp"

#include <openssl/evp.h>
#include <openssl/hmac.h>

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>

#include "reports/json/strict_json.hpp"
#include "reports/model/fact_name.hpp"

namespace rackproof::redaction {
namespace {

using nlohmann::json;

// Values of these fields are words of the format; a host of that name must not change them.
const std::set<std::string, std::less<>> kWords = {
    "backend",   "bench",  "better",   "how",   "kind", "metric",    "outcome", "placement",
    "reason_id", "schema", "severity", "state", "step", "statistic", "unit",    "schema_version"};

// Objects whose keys are given by a run; the keys of all others are words of the format.
const std::set<std::string, std::less<>> kMaps = {"evidence", "labels", "platform_of_host"};

// Facts whose value is the identity of a part, not what kind of part it is.
bool names_a_part(std::string_view fact) {
  for (const char* word : {"serial", "boot_id", "machine_id", "guid", "asset"}) {
    if (fact.find(word) != std::string_view::npos) return true;
  }
  return false;
}

// A mere number gives no switch away, and stands for other things all over the report.
bool names_a_switch(std::string_view fact, std::string_view name) {
  return fact.starts_with("fabric.") && fact.ends_with(".leaf") &&
         name.find_first_not_of("0123456789") != std::string_view::npos;
}

void add_host(Vocabulary& known, const std::string& host) {
  known.add(host, Form::kHost);
  // In texts the same host goes by its short name.
  const std::size_t end = host.find_first_of(".#");
  if (end != std::string::npos && !looks_like_address(host)) {
    known.add(host.substr(0, end), Form::kHost);
  }
}

// A UUID in its usual form is found wherever it is, without the "GPU-" before it.
void add_device(Vocabulary& known, const std::string& device) {
  if (!holds_uuid(device)) known.add(device, Form::kPart);
}

void add_subject(Vocabulary& known, const model::Subject& subject) {
  add_host(known, subject.host);
  add_host(known, subject.peer_host);
  for (const std::string& host : subject.members) add_host(known, host);
  add_device(known, subject.device);
  add_device(known, subject.peer_device);
}

void add_facts(Vocabulary& known, const std::map<std::string, model::Fact>& facts) {
  for (const auto& [name, fact] : facts) {
    const auto* text = fact.value ? std::get_if<std::string>(&*fact.value) : nullptr;
    if (text == nullptr) continue;
    if (name == model::fact_name::kHostName || names_a_switch(name, *text)) add_host(known, *text);
    if (names_a_part(name)) known.add(*text, holds_uuid(*text) ? Form::kUuid : Form::kPart);
  }
}

Vocabulary vocabulary_of(const model::Report& report) {
  Vocabulary known;
  for (const auto& node : report.nodes) {
    add_host(known, node.host);
    add_facts(known, node.facts);
    for (const auto& device : node.devices) {
      add_device(known, device.uuid);
      add_facts(known, device.facts);
    }
  }
  for (const auto& asset : report.run.extent.assets) {
    add_host(known, asset.host);
    known.add(asset.serial, Form::kPart);
    for (const std::string& gpu : asset.gpus) {
      known.add(gpu, holds_uuid(gpu) ? Form::kUuid : Form::kPart);
    }
  }
  for (const auto& rank : report.ranks) add_host(known, rank.host);
  for (const std::string& host : report.run.left_out_hosts) add_host(known, host);
  for (const auto& step : report.steps) {
    for (const std::string& host : step.only_hosts) add_host(known, host);
  }
  for (const auto& [host, platform] : report.platform_of_host) add_host(known, host);
  for (const auto& event : report.events) add_host(known, event.host);
  for (const auto& cell : report.cells) add_subject(known, cell.subject);
  for (const auto& attempt : report.attempts) {
    add_host(known, attempt.host);
    add_subject(known, attempt.subject);
  }
  return known;
}

class Walker {
 public:
  Walker(const Vocabulary& known, Aliases& aliases) : known_(known), aliases_(aliases) {}

  json walk(const json& value, std::string_view name, bool versions) {
    if (value.is_string()) {
      if (kWords.contains(name)) return value;
      return text(value.get_ref<const std::string&>(), versions);
    }
    if (value.is_array()) {
      json out = json::array();
      for (const json& each : value) out.push_back(walk(each, name, versions));
      // Members of a group are sorted by name, and the names are others now.
      if (name == "members") std::sort(out.begin(), out.end());
      return out;
    }
    if (!value.is_object()) return value;
    json out = json::object();
    for (const auto& [key, each] : value.items()) {
      // Installed, and about no host in particular.
      if (key == "cause_table") {
        out[key] = each;
        continue;
      }
      const bool inner = versions || key.find("version") != std::string::npos ||
                         key.starts_with("library.") || key == "libraries";
      out[kMaps.contains(name) ? text(key, versions) : key] = walk(each, key, inner);
    }
    return out;
  }

 private:
  std::string text(const std::string& text, bool versions) {
    std::vector<Found> found;
    known_.find_in(text, found);
    find_identifiers(text, versions, found);
    std::sort(found.begin(), found.end(), [](const Found& a, const Found& b) {
      return a.at != b.at ? a.at < b.at : a.size > b.size;
    });
    std::string out;
    std::size_t done = 0;
    for (const Found& one : found) {
      if (one.at < done) continue;
      out += text.substr(done, one.at - done) +
             aliases_.of(one.form, lowered(text.substr(one.at, one.size)));
      done = one.at + one.size;
    }
    return out + text.substr(done);
  }

  const Vocabulary& known_;
  Aliases& aliases_;
};

}  // namespace

std::string keyed_digits(const std::string& key, const std::string& text, std::size_t length) {
  std::array<unsigned char, EVP_MAX_MD_SIZE> bytes{};
  unsigned int size = 0;
  if (HMAC(EVP_sha256(), key.data(), static_cast<int>(key.size()),
           reinterpret_cast<const unsigned char*>(text.data()), text.size(), bytes.data(),
           &size) == nullptr) {
    throw std::runtime_error("OpenSSL cannot compute an HMAC");
  }
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string hex;
  for (unsigned int i = 0; i < size; ++i) {
    hex += kDigits[bytes.at(i) >> 4U];
    hex += kDigits[bytes.at(i) & 15U];
  }
  return hex.substr(0, length);
}

std::string Aliases::of(Form form, const std::string& raw) {
  constexpr std::size_t kDigits = 12;
  const auto found = all_.find(raw);
  if (found != all_.end()) return found->second;
  // One word each: a host may be called "host".
  std::string alias;
  switch (form) {
    case Form::kHost:
      alias = "host" + keyed_digits(key_, "host " + raw, kDigits);
      break;
    case Form::kPart:
      alias = "part" + keyed_digits(key_, "part " + raw, kDigits);
      break;
    case Form::kAddress:
      alias = "addr" + keyed_digits(key_, "address " + raw, kDigits);
      break;
    case Form::kUser:
      alias = "user" + keyed_digits(key_, "user " + raw, kDigits);
      break;
    case Form::kUuid: {
      // In the form of a UUID: a device is known by it.
      alias = keyed_digits(key_, "uuid " + raw, 32);
      for (const std::size_t at : {8, 13, 18, 23}) alias.insert(at, "-");
      break;
    }
  }
  all_.emplace(raw, alias);
  return alias;
}

std::string redacted(const model::Report& report, std::string_view text, Aliases& aliases) {
  const Vocabulary known = vocabulary_of(report);
  model::JsonLimits limits;
  limits.bytes = text.size();
  const json document = model::parse_strict(text, limits);
  return Walker(known, aliases).walk(document, "", false).dump();
}

std::vector<std::string> leaks(std::string_view text, const Aliases& aliases) {
  // Of a short word every text is full by chance: it counts only where it stands alone.
  constexpr std::size_t kShort = 6;
  const std::string lower = lowered(text);
  std::vector<std::string> found;
  for (const auto& [raw, alias] : aliases.all()) {
    if (raw.size() >= kShort) {
      if (lower.find(raw) != std::string::npos) found.push_back(raw);
      continue;
    }
    Vocabulary word;
    word.add(raw, Form::kHost);
    std::vector<Found> places;
    word.find_in(lower, places);
    if (!places.empty()) found.push_back(raw);
  }
  return found;
}

}  // namespace rackproof::redaction
