#pragma once

#include <cstddef>
#include <map>
#include <optional>
#include <string>

namespace rackproof::crew {

/// How far the wall clock of another host is from rank 0's: positive when it is ahead.
struct ClockOffset {
  double seconds = 0;
  double uncertainty_seconds = 0;  ///< half of the round trip that it was measured with
};

/// Wall clocks of other ranks against this one's: a question and its answers, several times, and of
/// each rank the answer with the shortest way. Pure: times come from the caller.
class ClockProbe {
 public:
  /// The text of a new question. Answers to earlier ones count no more.
  std::string ask(double now, const std::string& utc);
  /// What a rank answers at once: its own wall clock.
  static std::string answer(const std::string& question, const std::string& utc);
  /// An answer, as it comes in. One to an earlier question, or one that is none, is passed over.
  void take(int rank, const std::string& answer, double now);
  /// Ranks that have answered the last question.
  std::size_t answers() const { return answered_.size(); }
  /// Of each rank that ever answered. The survey is over then.
  std::map<int, ClockOffset> take_offsets();

 private:
  int number_ = 0;
  std::string question_;
  double asked_at_ = 0;
  double asked_wall_ = 0;
  std::map<int, bool> answered_;
  std::map<int, ClockOffset> best_;
};

}  // namespace rackproof::crew
