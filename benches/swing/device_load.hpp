#pragma once

#include <array>
#include <cstdint>
#include <string>

#include "benches/kit/cuda/stream.hpp"
#include "benches/swing/device_work.hpp"
#include "benches/swing/load.hpp"

namespace rackproof::swing {

/// Products on a GPU. Rises and falls are when the device began and ended, by its own events:
/// before each pulse an event of the idle device is tied to the clock of the rank by the shortest
/// of a few tries, half of which bounds the error.
class DeviceLoad : public Load {
 public:
  /// On the current device, of this number and name. Throws as DeviceWork does.
  DeviceLoad(int device, std::string name, std::int64_t size, std::uint64_t seed);

  LoadResult run(const LoadPlan& plan, const OwnClock& clock, const std::atomic<bool>& stop,
                 const std::optional<kit::Injection>& injection) override;
  std::string proof() const override;
  std::string element() const override { return "element"; }
  protocol::Note note() const override;

 private:
  /// When the anchor was, on the clock of the rank; `tied` becomes what that can be wrong by,
  /// where it is less than that.
  double anchor(const OwnClock& clock, double& tied);
  void pulse(const Pulse& pulse, const OwnClock& clock, const std::atomic<bool>& stop,
             std::optional<kit::Injection>& injection, LoadResult& result);
  void queue_piece(std::size_t place, std::uint64_t pulse,
                   std::optional<kit::Injection>& injection);
  void read(LoadResult& result);
  double piece_seconds() const { return static_cast<double>(in_piece_) * work_.seconds(); }

  int device_;
  std::string name_;
  DeviceWork work_;
  std::int64_t in_piece_;  ///< products between two events
  kit::cuda::Stream stream_;
  kit::cuda::Event anchor_;
  kit::cuda::Event begin_;
  std::array<kit::cuda::Event, 2> ends_;
  bool told_ = false;  ///< what was wrong before the load is in a result
};

}  // namespace rackproof::swing
