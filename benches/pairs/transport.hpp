#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "benches/kit/inject.hpp"
#include "benches/kit/pattern/pattern.hpp"
#include "benches/pairs/kinds.hpp"

namespace rackproof::pairs {

/// What carries the messages, as far as it can be known.
struct TransportFacts {
  std::string library;  ///< "Open MPI"
  std::string version;  ///< "4.1.4"
  std::string path;     ///< "2 nodes"
};

/// What a comparison of a batch found: the first wrong word is in message `slot`.
struct Found {
  kit::pattern::Difference words;
  std::int64_t slot = 0;
};

/// Messages between two members of a group, memory to keep them in, and the few small exchanges
/// that measuring them needs. All throw kit::DeviceError when the library reports an error.
class Transport {
 public:
  virtual ~Transport() = default;

  virtual int rank() const = 0;
  virtual int size() const = 0;
  virtual TransportFacts facts() const = 0;
  /// Where each member is, in words for people, the same on all.
  virtual const std::vector<std::string>& places() const = 0;

  /// Takes room for what is sent and as much for what is received, for batches of up to `span`
  /// bytes. False when it cannot be had; nothing is thrown then, since the others must hear of it.
  virtual bool reserve(std::int64_t span) = 0;
  /// Writes what is to be sent: message s of the batch is the pattern of key_of(key, s).
  virtual void write(std::uint64_t key, const Batch& batch) = 0;
  /// Overwrites where messages will arrive with what is wrong in every word.
  virtual void poison(std::uint64_t key, const Batch& batch) = 0;
  /// Compares every word of every message that arrived.
  virtual Found compare(std::uint64_t key, const Batch& batch) = 0;
  /// Flips a bit of what arrived.
  virtual void spoil(const kit::Injection& injection, const Batch& batch) = 0;

  /// Passes one batch between this member and `peer`, who must call it likewise; exactly one of the
  /// two `leads`. Gives back the seconds from when both were ready until all had arrived, or 0 when
  /// it is the other one who can tell.
  virtual double pass(Exchange exchange, int peer, bool leads, const Batch& batch) = 0;

  virtual void barrier() = 0;
  /// True when all members say so. Every member must call it.
  virtual bool everyone(bool yes) = 0;
  /// On member 0 the values of all, member by member; nothing on the others. Every member must
  /// bring equally many.
  virtual std::vector<double> gather(std::span<const double> values) = 0;
};

}  // namespace rackproof::pairs
