#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "harness/compare/sample.hpp"
#include "harness/config/comparison.hpp"
#include "harness/index/sample_index.hpp"

namespace rackproof::index {

/// The samples of reports, as far as an index has them. Whatever is wrong with it is a line on
/// stderr, and the reports are read as if there were none.
class TrendIndex {
 public:
  /// Looks all the files up. An empty path: no index.
  TrendIndex(std::string path, const config::ComparisonRules& table,
             const std::vector<std::string>& files);

  /// Of files[i]; what the index lacks is read, and kept there. Once for each i.
  compare::Sample sample(std::size_t i, const std::function<compare::Sample()>& read);
  /// Writes what is left.
  void finish();

 private:
  struct Entry {
    std::string name;  ///< as it was given
    std::string path;  ///< of the file, in full
    Content content;
    std::optional<compare::Sample> sample;
  };

  void open();
  void look_up();
  void give_up(const IndexError& error);
  void use(const std::function<void(SampleIndex&)>& work);

  std::string path_;
  std::string context_;
  std::optional<SampleIndex> index_;
  bool made_anew_ = false;
  std::vector<Entry> entries_;
};

}  // namespace rackproof::index
