#include "tests/evidence/schema.hpp"

namespace rackproof::evidence {
namespace {

using nlohmann::json;

class Walk {
 public:
  explicit Walk(const json& schema) : schema_(schema) {}

  void go(const json& part, const std::string& at) {
    if (part.contains("$ref")) {
      go(schema_.at(json::json_pointer(part.at("$ref").get<std::string>().substr(1))), at);
      return;
    }
    if (!at.empty()) {
      auto& words = words_[at];
      for (const json& word : part.value("enum", json::array())) {
        if (word.is_string()) words.push_back(word.get<std::string>());
      }
    }
    for (const char* all : {"allOf", "oneOf", "anyOf"}) {
      for (const json& one : part.value(all, json::array())) descend(one, at);
    }
    descend(part, at);
  }

  const Words& words() const { return words_; }

 private:
  void descend(const json& part, const std::string& at) {
    if (part.contains("$ref")) {
      go(part, at);
      return;
    }
    const json properties = part.value("properties", json::object());
    for (const auto& [name, member] : properties.items()) {
      // A condition names members that are described elsewhere.
      if (member.size() == 1 && member.contains("const")) continue;
      go(member, at + "/" + name);
    }
    if (part.contains("items") && part.at("items").is_object()) go(part.at("items"), at + "/*");
  }

  const json& schema_;
  Words words_;
};

}  // namespace

Words described_by(const json& schema) {
  Walk walk(schema);
  // Of a record: what its kind refers to.
  for (const json& one : schema.value("allOf", json::array())) {
    const json& kind = one.at("if").at("properties").at("kind").at("const");
    walk.go(one.at("then"), "/" + kind.get<std::string>());
  }
  if (!schema.contains("allOf")) walk.go(schema, "");
  return walk.words();
}

}  // namespace rackproof::evidence
