#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "benches/kit/session.hpp"
#include "benches/protocol/emit.hpp"

namespace rackproof::kit {

/// A Session that holds a bench to the rules of the protocol, whichever way its words are written,
/// and can also open and close the transcript. Breaking a rule is an error in the bench:
/// std::logic_error.
class Reporter : public Session {
 public:
  explicit Reporter(std::optional<Injection> injection) : injection_(injection) {}

  void tell_progress_to(ProgressWriter writer) { progress_ = std::move(writer); }

  virtual void hello(const protocol::Hello& record) = 0;
  virtual void end(const protocol::End& record) = 0;

  void check(protocol::Check record) final;
  void metric(protocol::Metric record) final;
  std::optional<Injection> injection() const final { return injection_; }

  /// What the first failed check said; empty while all passed.
  const std::string& first_failure() const { return first_failure_; }

 protected:
  virtual void say(const protocol::Check& record) = 0;
  virtual void say(protocol::Metric record, bool proved) = 0;

 private:
  void refuse_not_finite(const protocol::Metric& record);

  std::optional<Injection> injection_;
  std::map<std::string, bool> checks_;  // name -> passed
  std::string first_failure_;
};

/// One sentence for a failed check: what, how many, and the first wrong place.
std::string describe_failure(const protocol::Check& check);

/// Writes records to `sink`.
std::unique_ptr<Reporter> make_record_reporter(protocol::Sink sink, std::string nonce,
                                               std::optional<Injection> injection);

/// Writes a table for people to `sink`, line by line.
std::unique_ptr<Reporter> make_table_reporter(protocol::Sink sink,
                                              std::optional<Injection> injection);

}  // namespace rackproof::kit
