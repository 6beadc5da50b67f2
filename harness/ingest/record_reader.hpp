#pragma once

#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>

#include "benches/protocol/record.hpp"

namespace rackproof::ingest {

/// A line that is no record. what() says which field and what was expected.
struct BadRecord : std::runtime_error {
  using std::runtime_error::runtime_error;
};

using AnyRecord = std::variant<protocol::Hello, protocol::Device, protocol::Token, protocol::Phase,
                               protocol::Sample, protocol::Metric, protocol::Check, protocol::Note,
                               protocol::End>;

struct Incoming {
  AnyRecord record;
  std::string nonce;
};

/// Reads one line (without its newline). Every field that the kind has must be there and of its
/// type; fields that this version does not know are passed over, so that a newer bench can say
/// more. Throws BadRecord.
Incoming read_record(std::string_view line);

}  // namespace rackproof::ingest
