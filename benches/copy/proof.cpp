#include "benches/copy/proof.hpp"
#include "benches/kit/results.hpp"

#include <fmt/format.h>

#include <utility>

namespace rackproof::copy {

void Proof::add(std::int64_t sample, const kit::pattern::Difference& found) {
  compared_ += found.compared;
  wrong_ += found.wrong;
  if (found.wrong == 0 || first_) return;
  sample_ = sample;
  first_ = found;
}

protocol::Check Proof::check(std::string name, const std::string& where) const {
  protocol::Check check = kit::check_of(
      std::move(name),
      "every 8-byte word of the destination, poisoned before and compared after each sample",
      compared_, wrong_);
  if (first_) {
    check.first_wrong = protocol::FirstWrong{
        fmt::format("word {} (byte {}) in the memory of {}, sample {}", first_->first,
                    first_->first * 8, where, sample_),
        kit::pattern::text_of(first_->got), kit::pattern::text_of(first_->want)};
  }
  return check;
}

}  // namespace rackproof::copy
