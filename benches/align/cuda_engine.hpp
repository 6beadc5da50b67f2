#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "benches/align/align.hpp"
#include "benches/align/cuda_kernels.hpp"
#include "benches/align/cuda_resident.hpp"
#include "benches/align/measure.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/cuda/watch.hpp"

namespace rackproof::align {

/// Aligns two subjects at a time in each word of a GPU, as integers of 16 bits or in floating
/// point; those whose score does not fit again in 32 bits. The database stays on the device.
class CudaEngine : public Engine {
 public:
  /// `way` is a name of way_names(), or empty: then load() measures for each query which is the
  /// fastest. Throws UsageError for one that cannot compute with this scoring.
  CudaEngine(const kit::cuda::Device& device, const std::string& way, const Scoring& scoring,
             Fault fault, Crew& crew);

  /// Throws Unavailable where the device has too little memory.
  void load(const Workload& work) override;
  double align(std::int64_t query, std::int32_t* scores) override;
  void check_memory(protocol::Check& check) override { memory_->resident.check(check); }
  contract::Parameters state() override { return watch_.facts(); }
  std::vector<Choice> choices() const override;
  contract::Parameters facts() const override;

  std::int64_t again_in32() const { return again_; }
  /// Memory of the device that is used.
  std::int64_t device_bytes() const { return bytes_; }
  /// How each query is aligned.
  const std::vector<Way>& ways() const { return chosen_; }

 private:
  // What lies on the device, of a database and its queries.
  struct Memory {
    Memory(const Workload& work, const Packed& packed, std::int64_t edges);
    std::int64_t bytes() const;

    Resident resident;
    kit::cuda::DeviceBuffer<Edge> edges;
    kit::cuda::DeviceBuffer<std::int32_t> scores;
    kit::cuda::DeviceBuffer<std::int32_t> again;
    kit::cuda::DeviceBuffer<unsigned long long> again_count;
  };

  std::int64_t edges_for(const Packed& packed, std::int64_t longest_query) const;
  void choose();
  std::vector<double> trials(std::int64_t query, const std::vector<Way>& ways, const Batch& pairs);
  DeviceTask task_of(std::int64_t query, Arithmetic arithmetic) const;
  // Queues some pairs on all streams. What is queued on the first one then waits for the others.
  void queue(std::int64_t query, const Way& way, const Batch& pairs);
  void queue_batch(const DeviceTask& task, const Way& way, const Batch& batch);
  double timed(std::int64_t query, const Way& way, const Batch& pairs);
  Batch lost_block(const Way& way) const;

  const kit::cuda::Device& device_;
  std::vector<Way> ways_;
  Scoring scoring_;
  Fault fault_;
  Crew& crew_;
  kit::cuda::Watch watch_;
  // Where a batch comes to its end, blocks of others are there; and long subjects hold up but one.
  static constexpr std::size_t kStreams = 4;
  std::array<kit::cuda::Stream, kStreams> streams_;
  std::array<kit::cuda::Event, kStreams> joined_;
  kit::cuda::Event start_;
  kit::cuda::Event stop_;
  const Workload* work_ = nullptr;
  Packed packed_;
  std::vector<std::int32_t> by_place_;  // scores as the device has them
  std::vector<Way> chosen_;
  std::map<std::int64_t, contract::Parameters> rates_;  // by the length of the query
  std::optional<Memory> memory_;
  std::int64_t bytes_ = 0;
  std::int64_t again_ = 0;
  std::size_t turn_ = 0;
};

}  // namespace rackproof::align
