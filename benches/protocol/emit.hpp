#pragma once

#include <functional>
#include <string>
#include <string_view>

#include "benches/protocol/record.hpp"

namespace rackproof::protocol {

/// Takes one whole line, the newline included.
using Sink = std::function<void(std::string_view line)>;

/// Writes records as lines of JSON into a sink, each with the nonce of its process (left out when
/// empty). Numbers must be finite: std::invalid_argument otherwise. A line that would be longer
/// than kMaxLineBytes throws std::length_error and writes nothing.
class Emitter {
 public:
  Emitter(Sink sink, std::string nonce);

  void emit(const Hello& record);
  void emit(const Device& record);
  void emit(const Token& record);
  void emit(const Phase& record);
  void emit(const Sample& record);
  /// A metric with more than kMaxInlineSamples samples is written as `sample` records and a metric
  /// that names their series. Its statistic must be of records: std::invalid_argument otherwise.
  void emit(Metric record);
  void emit(const Check& record);
  void emit(const Note& record);
  void emit(const End& record);

 private:
  void write(std::string line);

  Sink sink_;
  std::string nonce_;
  std::int64_t next_series_ = 1;
};

}  // namespace rackproof::protocol
