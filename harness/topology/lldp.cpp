#include <algorithm>
#include <map>
#include <utility>

#include "harness/document/document.hpp"
#include "harness/document/located_json.hpp"
#include "harness/topology/formats.hpp"

namespace rackproof::topology {
namespace {

using document::Node;

/// A value and its path, for messages.
struct Place {
  const Node* node = nullptr;
  std::string path;
};

const Node* member_of(const Node& node, std::string_view name) {
  const auto* members = std::get_if<Node::Members>(&node.value);
  if (members == nullptr) return nullptr;
  for (const document::Member& member : *members) {
    if (member.name == name) return &member.node;
  }
  return nullptr;
}

/// json0 has a list around each element and an object around each text, json leaves both out where
/// there is one.
Place bare(Place place) {
  for (;;) {
    const auto* list = std::get_if<Node::List>(&place.node->value);
    if (list != nullptr && list->size() == 1) {
      place = {list->data(), place.path + "[0]"};
      continue;
    }
    const auto* members = std::get_if<Node::Members>(&place.node->value);
    const bool wraps = members != nullptr && members->size() == 1 &&
                       members->front().name == "value" &&
                       std::holds_alternative<std::string>(members->front().node.value);
    if (!wraps) return place;
    place = {&members->front().node, place.path + ".value"};
  }
}

class LldpReader {
 public:
  LldpReader(const std::string& file, const std::string& host) : file_(file), host_(host) {}

  std::vector<Attachment> read(const Node& root) {
    const Place lldp = bare(required({&root, ""}, "lldp"));
    expect_object(lldp);
    // Nobody answered on any interface.
    if (member_of(*lldp.node, "interface") == nullptr) return {};
    const Place interfaces = required(lldp, "interface");
    if (const auto* list = std::get_if<Node::List>(&interfaces.node->value)) {
      for (std::size_t i = 0; i < list->size(); ++i) {
        read_entry({&(*list)[i], interfaces.path + "[" + std::to_string(i) + "]"});
      }
    } else {
      read_entry(interfaces);
    }
    std::vector<Attachment> alone;
    for (auto& [nic, neighbours] : found_) {
      const std::string place = place_of(neighbours.front());
      const bool one =
          std::all_of(neighbours.begin(), neighbours.end(),
                      [&place](const Attachment& other) { return place_of(other) == place; });
      // A switch that passes on what others say, or a hub: nobody knows where the cable ends.
      if (one) alone.push_back(std::move(neighbours.front()));
    }
    return alone;
  }

 private:
  [[noreturn]] void fail(const Place& place, const std::string& what) const {
    throw document::ConfigError(file_, place.node->line, place.path, what);
  }

  void expect_object(const Place& place) const {
    if (!std::holds_alternative<Node::Members>(place.node->value)) {
      fail(place, "expected an object, as lldpctl -f json and -f json0 write it");
    }
  }

  Place required(const Place& place, const char* name) const {
    expect_object(place);
    const Node* found = member_of(*place.node, name);
    if (found == nullptr) fail(place, std::string("'") + name + "' is missing");
    return {found, place.path + (place.path.empty() ? "" : ".") + name};
  }

  std::string text(const Place& place) const {
    const Place inner = bare(place);
    const auto* words = std::get_if<std::string>(&inner.node->value);
    if (words == nullptr) fail(inner, "expected a text");
    return *words;
  }

  /// Of json0 one interface with its name, of json an object that has the name as its key.
  void read_entry(const Place& entry) {
    expect_object(entry);
    if (member_of(*entry.node, "name") != nullptr) {
      read_neighbour(text(required(entry, "name")), entry);
      return;
    }
    for (const document::Member& member : std::get<Node::Members>(entry.node->value)) {
      read_neighbour(member.name, {&member.node, entry.path + "." + member.name});
    }
  }

  void read_neighbour(const std::string& nic, const Place& neighbour) {
    expect_object(neighbour);
    // The same switch may answer in protocols of other makers too, with other names for the port.
    if (member_of(*neighbour.node, "via") != nullptr &&
        text(required(neighbour, "via")) != "LLDP") {
      return;
    }
    if (nic.empty()) fail(neighbour, "the interface has no name");
    Attachment one;
    one.file = file_;
    one.line = neighbour.node->line;
    one.host = host_;
    one.nic = nic;
    one.leaf = switch_of(bare(required(neighbour, "chassis")));
    one.leaf_port = port_of(bare(required(neighbour, "port")));
    if (one.leaf.empty()) fail(neighbour, "the switch has neither a name nor an id");
    found_[nic].push_back(std::move(one));
  }

  /// Its name; of a switch that tells none its id.
  std::string switch_of(const Place& chassis) const {
    expect_object(chassis);
    if (member_of(*chassis.node, "name") != nullptr) return text(required(chassis, "name"));
    if (member_of(*chassis.node, "id") != nullptr) return id_of(chassis);
    const auto& members = std::get<Node::Members>(chassis.node->value);
    if (members.size() != 1) fail(chassis, "expected the name of a switch, or its 'id'");
    return members.front().name;
  }

  std::string id_of(const Place& place) const {
    return text(required(bare(required(place, "id")), "value"));
  }

  /// The id as the switch gives it, but for hardware addresses, which are written on no port.
  std::string port_of(const Place& port) const {
    const Place id = bare(required(port, "id"));
    const bool address =
        member_of(*id.node, "type") != nullptr && text(required(id, "type")) == "mac";
    if (address && member_of(*port.node, "descr") != nullptr) {
      return text(required(port, "descr"));
    }
    return id_of(port);
  }

  const std::string& file_;
  const std::string& host_;
  std::map<std::string, std::vector<Attachment>> found_;  ///< by interface
};

}  // namespace

std::vector<Attachment> read_lldp(const std::string& file, std::string_view text,
                                  const std::string& host) {
  return LldpReader(file, host).read(document::parse(file, text));
}

}  // namespace rackproof::topology
