#include <algorithm>
#include <unordered_map>
#include <vector>

#include "reports/catalogue/quantity_tables.hpp"
#include "reports/model/glob.hpp"

namespace rackproof::catalogue {
namespace {

// Facts are looked up for each number that is a fraction of one.
class Index {
 public:
  explicit Index(std::span<const Quantity> all) {
    for (const Quantity& one : all) {
      if (one.name.find('*') == std::string_view::npos) {
        named_.emplace(one.name, &one);
      } else {
        patterns_.push_back(&one);
      }
    }
  }

  // What has a name of its own goes before what only fits: "environment.dropped".
  const Quantity* find(std::string_view name) const {
    if (const auto found = named_.find(name); found != named_.end()) return found->second;
    const auto found =
        std::find_if(patterns_.begin(), patterns_.end(),
                     [name](const Quantity* one) { return model::glob_match(one->name, name); });
    return found == patterns_.end() ? nullptr : *found;
  }

 private:
  std::unordered_map<std::string_view, const Quantity*> named_;
  std::vector<const Quantity*> patterns_;
};

std::vector<Quantity> all_facts() {
  const std::span<const Quantity> host = host_facts();
  const std::span<const Quantity> gpu = gpu_facts();
  std::vector<Quantity> all(host.begin(), host.end());
  all.insert(all.end(), gpu.begin(), gpu.end());
  return all;
}

}  // namespace

std::span<const Quantity> facts() {
  static const std::vector<Quantity> all = all_facts();
  return all;
}

const Quantity* find_fact(std::string_view name) {
  static const Index index(facts());
  return index.find(name);
}

const Quantity* find_column(std::string_view name) {
  static const Index index(columns());
  return index.find(name);
}

}  // namespace rackproof::catalogue
