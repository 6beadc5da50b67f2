#pragma once

#include <map>
#include <optional>
#include <string>

#include "harness/inventory/file_tree.hpp"
#include "reports/model/inventory.hpp"

namespace rackproof::inventory {

/// The facts of a node while they are collected. Every name that was asked for ends up with a value
/// or with a reason.
class FactSheet {
 public:
  /// Texts are cut to printable ASCII and 4096 bytes: they come from outside and go into JSON. A
  /// number that is not finite becomes an unreadable fact.
  void put(const std::string& name, contract::Scalar value, const std::string& source);
  void put_count(const std::string& name, std::size_t count, const std::string& source);
  void missing(const std::string& name, const std::string& source, const std::string& why);

  /// The whole file as text. An empty file is unreadable.
  void put_text(const std::string& name, const Reading& reading);
  /// The file as an integer times `factor`.
  void put_integer(const std::string& name, const Reading& reading, long long factor = 1);

  /// A value that was put before, as a number; nothing when it is absent, unreadable or a text.
  std::optional<double> number(const std::string& name) const;
  std::optional<std::string> text(const std::string& name) const;
  const model::Fact* find(const std::string& name) const;

  const std::map<std::string, model::Fact>& facts() const { return facts_; }

 private:
  std::map<std::string, model::Fact> facts_;
};

}  // namespace rackproof::inventory
