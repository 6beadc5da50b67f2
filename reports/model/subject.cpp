#include "reports/model/subject.hpp"

namespace rackproof::model {
namespace {

std::string place(const std::string& host, const std::string& device) {
  return device.empty() ? host : host + "/" + device;
}

}  // namespace

std::string label(const Subject& subject) {
  switch (subject.kind) {
    case SubjectKind::kNode:
      return subject.host;
    case SubjectKind::kDevice:
      return place(subject.host, subject.device);
    case SubjectKind::kLink:
      return place(subject.host, subject.device) + " - " +
             place(subject.peer_host, subject.peer_device);
    case SubjectKind::kGroup: {
      const std::size_t hosts = subject.members.size();
      return subject.group + " (" + std::to_string(hosts) + (hosts == 1 ? " host)" : " hosts)");
    }
  }
  return {};
}

}  // namespace rackproof::model
