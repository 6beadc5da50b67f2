#pragma once

#include <stdexcept>

namespace rackproof::support {

/// The user asked for something that cannot be done: one line for people, exit 2.
struct UsageError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

/// A file says something of itself that is not so: one line for people, exit 6.
struct IntegrityError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace rackproof::support
