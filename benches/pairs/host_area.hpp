#pragma once

#include <optional>

#include "benches/kit/buffer.hpp"
#include "benches/pairs/transport.hpp"

namespace rackproof::pairs {

/// Messages in the host's memory: what a transport that moves such has to do beside moving.
class HostArea {
 public:
  /// False when it is more than `share` bytes, or cannot be had.
  bool reserve(std::int64_t span, std::int64_t share);
  void write(std::uint64_t key, const Batch& batch) const;
  void poison(std::uint64_t key, const Batch& batch) const;
  Found compare(std::uint64_t key, const Batch& batch) const;
  void spoil(const kit::Injection& injection, const Batch& batch) const;

  std::uint64_t* sent(std::int64_t slot, const Batch& batch) const;
  std::uint64_t* received(std::int64_t slot, const Batch& batch) const;

 private:
  std::optional<kit::Buffer<std::uint64_t>> sent_;
  std::optional<kit::Buffer<std::uint64_t>> received_;
};

}  // namespace rackproof::pairs
