#include "reports/model/subject.hpp"

#include <algorithm>

namespace rackproof::model {
namespace {

constexpr std::size_t kHostsNamed = 8;

std::string place(const std::string& host, const std::string& device) {
  return device.empty() ? host : host + "/" + device;
}

}  // namespace

std::string label(const Subject& subject) {
  switch (subject.kind) {
    case contract::SubjectKind::kNode:
      return subject.host;
    case contract::SubjectKind::kDevice:
      return place(subject.host, subject.device);
    case contract::SubjectKind::kLink:
      return place(subject.host, subject.device) + " - " +
             place(subject.peer_host, subject.peer_device);
    case contract::SubjectKind::kGroup: {
      const std::size_t hosts = subject.members.size();
      return subject.group + " (" + std::to_string(hosts) + (hosts == 1 ? " host)" : " hosts)");
    }
  }
  return {};
}

std::string host_names(const std::vector<std::string>& hosts) {
  std::string text;
  for (std::size_t i = 0; i < std::min(hosts.size(), kHostsNamed); ++i) {
    text += (i == 0 ? "" : ", ") + hosts[i];
  }
  if (hosts.size() > kHostsNamed) {
    text += " and " + std::to_string(hosts.size() - kHostsNamed) + " more";
  }
  return text;
}

std::vector<std::string> named_hosts(std::string_view text) {
  std::vector<std::string> hosts;
  text = text.substr(0, text.find(" and "));
  while (!text.empty()) {
    const std::size_t comma = text.find(", ");
    hosts.emplace_back(text.substr(0, comma));
    text.remove_prefix(comma == std::string_view::npos ? text.size() : comma + 2);
  }
  return hosts;
}

}  // namespace rackproof::model
