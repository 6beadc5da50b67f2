#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <vector>

#include "harness/topology/attachment.hpp"

namespace rackproof::topology {

/// The attachments of one file. Tools tell each link from both of its ends: the same thing said
/// twice is one attachment, with all names that either line knows.
class Attachments {
 public:
  /// Throws ConfigError where the adapter is connected elsewhere by an earlier line.
  void add(Attachment attachment);
  std::vector<Attachment> take() { return std::move(all_); }

 private:
  std::vector<Attachment> all_;
  std::map<std::string, std::size_t> places_;  ///< in all_, by each name that the adapter has
};

}  // namespace rackproof::topology
