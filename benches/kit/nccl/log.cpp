#include "benches/kit/nccl/log.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>
#include <optional>

namespace rackproof::kit::nccl {
namespace {

// Words of one message, one after the other.
class Reader {
 public:
  explicit Reader(std::string_view text) : rest_(text) {}

  // Moves behind the next `mark`; false, and no move, when there is none.
  bool skip_to(std::string_view mark) {
    const auto at = rest_.find(mark);
    if (at == std::string_view::npos) return false;
    rest_.remove_prefix(at + mark.size());
    return true;
  }

  template <class Integer>
  bool number(Integer& value) {
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), value);
    if (error != std::errc()) return false;
    rest_.remove_prefix(static_cast<std::size_t>(end - rest_.data()));
    return true;
  }

  // What is left of the line: names of network plugins have blanks ("AWS Libfabric").
  std::string_view rest() const {
    const auto length = std::min({rest_.find('\r'), rest_.find(" comm 0x"), rest_.size()});
    return rest_.substr(0, length);
  }

  std::string_view word() {
    const auto length = std::min(rest_.find_first_of(" \r"), rest_.size());
    const std::string_view found = rest_.substr(0, length);
    rest_.remove_prefix(length);
    return found;
  }

 private:
  std::string_view rest_;
};

// "NET/IB/0/GDRDMA" names a device that tells nothing about the kind; "SHM/direct/direct" and
// "P2P/CUMEM/read" have none.
std::string kind_of(std::string_view path) {
  std::string kind;
  while (!path.empty()) {
    const auto length = std::min(path.find('/'), path.size());
    const std::string_view part = path.substr(0, length);
    path.remove_prefix(std::min(length + 1, path.size()));
    if (!part.empty() && part.find_first_not_of("0123456789()[]") == std::string_view::npos)
      continue;
    if (!kind.empty()) kind += '/';
    kind += part;
  }
  return kind;
}

// "AllReduce: 1024 Bytes -> Algo RING proto SIMPLE channel{Lo..Hi}={0..23}", and
// "AllReduce [Symmetric]: 1024 Bytes -> Kernel AllReduce_AGxLL_R nchannels 8 nthreads 512 nWorks
// 1".
std::optional<Choice> choice_of(std::string_view message) {
  Choice choice;
  const auto colon = message.find(':');
  if (colon == std::string_view::npos) return std::nullopt;
  constexpr std::string_view kSymmetric = " [Symmetric]";
  std::string_view operation = message.substr(0, colon);
  const bool symmetric = operation.ends_with(kSymmetric);
  if (symmetric) operation.remove_suffix(kSymmetric.size());
  choice.operation = operation;
  Reader reader(message.substr(colon));
  if (!reader.skip_to(": ") || !reader.number(choice.bytes)) return std::nullopt;
  if (symmetric) {
    if (!reader.skip_to("-> Kernel ")) return std::nullopt;
    choice.algorithm = "SYMMETRIC";
    choice.protocol = reader.word();
    if (!reader.skip_to("nchannels ") || !reader.number(choice.channels)) return std::nullopt;
    return choice;
  }
  if (!reader.skip_to("-> Algo ")) return std::nullopt;
  choice.algorithm = reader.word();
  if (!reader.skip_to("proto ")) return std::nullopt;
  choice.protocol = reader.word();
  int low = 0;
  int high = 0;
  if (!reader.skip_to("={") || !reader.number(low) || !reader.skip_to("..") ||
      !reader.number(high)) {
    return std::nullopt;
  }
  choice.channels = high - low + 1;
  return choice;
}

void read_channels(std::string_view message, Log& log) {
  Reader reader(message);
  int collnet = 0;
  Log said;
  if (reader.number(said.coll_channels) && reader.skip_to("coll channels, ") &&
      reader.number(collnet) && reader.skip_to("collnet channels, ") &&
      reader.number(said.nvls_channels) && reader.skip_to("nvls channels, ") &&
      reader.number(said.p2p_channels)) {
    log.coll_channels = said.coll_channels;
    log.nvls_channels = said.nvls_channels;
    log.p2p_channels = said.p2p_channels;
  }
}

void read_line(std::string_view line, Log& log) {
  constexpr std::string_view kMark = "NCCL INFO ";
  const auto at = line.find(kMark);
  if (at == std::string_view::npos) return;
  const std::string_view message = line.substr(at + kMark.size());
  if (message.find(" coll channels, ") != std::string_view::npos) {
    read_channels(message, log);
  } else if (message.starts_with("NVLS multicast support is ")) {
    const int here = message.find("not available") == std::string_view::npos ? 1 : 0;
    log.multicast = log.multicast == 0 ? 0 : here;
  } else if (message.starts_with("Using network ")) {
    Reader reader(message);
    reader.skip_to("Using network ");
    log.network = reader.rest();
  } else if (message.find(" -> Algo ") != std::string_view::npos ||
             message.find(" -> Kernel ") != std::string_view::npos) {
    if (auto choice = choice_of(message)) log.choices.push_back(std::move(*choice));
  } else if (message.starts_with("Channel ") || message.starts_with("CollNet ")) {
    Reader reader(message);
    const std::string kind = reader.skip_to(" via ") ? kind_of(reader.rest()) : "";
    if (!kind.empty()) ++log.transports[kind];
  } else if (message.starts_with("comm ")) {
    Reader reader(message);
    int nodes = 0;
    if (reader.skip_to(" nNodes ") && reader.number(nodes)) log.nodes = nodes;
    if (reader.skip_to(" MNNVL ")) reader.number(log.mnnvl);
  }
}

}  // namespace

Log parse_log(std::string_view text) {
  Log log;
  while (!text.empty()) {
    const auto length = std::min(text.find('\n'), text.size());
    read_line(text.substr(0, length), log);
    text.remove_prefix(std::min(length + 1, text.size()));
  }
  return log;
}

contract::Parameters to_facts(const Log& log) {
  contract::Parameters facts;
  const auto add = [&](const char* name, int value) {
    if (value >= 0) facts[name] = std::int64_t{value};
  };
  add("nodes", log.nodes);
  add("coll_channels", log.coll_channels);
  add("nvls_channels", log.nvls_channels);
  add("p2p_channels", log.p2p_channels);
  if (log.multicast >= 0) facts["multicast"] = log.multicast == 1;
  if (log.nvls_channels >= 0) facts["nvls"] = log.nvls_channels > 0;
  if (log.mnnvl >= 0) facts["mnnvl"] = log.mnnvl == 1;
  if (!log.network.empty()) facts["network"] = log.network;
  std::string kinds;
  for (const auto& [kind, count] : log.transports) {
    kinds += fmt::format("{}{} x{}", kinds.empty() ? "" : ", ", kind, count);
  }
  if (!kinds.empty()) facts["transports"] = kinds;
  return facts;
}

contract::Parameters to_conditions(const Log& log) {
  contract::Parameters all;
  const contract::Parameters facts = to_facts(log);
  for (const char* name : {"network", "nvls", "mnnvl"}) {
    const auto found = facts.find(name);
    if (found != facts.end()) all.insert(*found);
  }
  bool direct = true;
  bool crosses = false;
  for (const auto& [kind, count] : log.transports) {
    if (!kind.starts_with("NET/")) continue;
    crosses = true;
    direct = direct && kind.find("/GDRDMA") != std::string::npos;
  }
  if (crosses) all["gdr"] = direct;
  return all;
}

contract::Parameters to_facts(const Choice& choice) {
  return {{"algorithm", choice.algorithm},
          {"protocol", choice.protocol},
          {"channels", std::int64_t{choice.channels}}};
}

}  // namespace rackproof::kit::nccl
