#pragma once

#include <cstddef>
#include <functional>

namespace rackproof::model {

/// Calls work(i) for each i below count: one after the other, or several at once. What must not
/// depend on which is up to the work; an exception of the work comes out.
using ForEach =
    std::function<void(std::size_t count, const std::function<void(std::size_t)>& work)>;

inline void one_by_one(std::size_t count, const std::function<void(std::size_t)>& work) {
  for (std::size_t i = 0; i < count; ++i) work(i);
}

}  // namespace rackproof::model
