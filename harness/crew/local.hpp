#pragma once

#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "harness/crew/order.hpp"
#include "harness/ingest/transcript.hpp"
#include "harness/warden/warden.hpp"

namespace rackproof::crew {

/// What this rank itself runs: orders in, ended attempts out.
class Local {
 public:
  /// `programs` is the folder of the benches, `self` the path of this program.
  Local(warden::Warden& warden, std::string programs, std::string self,
        std::vector<InRank> in_rank);

  /// A program that `programs` does not have is looked for in this folder.
  void allow_programs(std::string folder) { allowed_ = std::move(folder); }

  /// Starts a program.
  void start(const Order& order);
  /// Runs a bench in this very process and returns when it is through. Its ending comes from
  /// wait().
  void run_in_rank(const Order& order);
  void cancel(const std::string& attempt, const model::Reason<model::CancelReason>& by);
  /// Waits up to `seconds` for something to happen; gives the attempts that have ended.
  std::vector<Ended> wait(double seconds);
  /// Tokens that the attempts of this rank gave since the last call.
  std::vector<GivenToken> take_tokens();
  bool idle() const { return running_.empty(); }
  std::vector<std::string> running() const;
  /// What the benches that run here said last: "stream-host: triad, 40 %".
  std::string phase() const;

 private:
  /// False for an attempt that was here before: it is made once, however often it is ordered.
  bool take(const Order& order);

  struct Running {
    std::vector<std::string> lines;
    ingest::Transcript transcript;
    std::string program;
    bool told = false;  ///< its token was passed on
  };

  warden::Warden& warden_;
  std::string path_of(const std::string& program) const;

  std::string programs_;
  std::string allowed_;
  std::string self_;
  std::vector<InRank> in_rank_;
  std::set<std::string> known_;
  std::map<std::string, Running> running_;
  std::vector<GivenToken> tokens_;
};

}  // namespace rackproof::crew
