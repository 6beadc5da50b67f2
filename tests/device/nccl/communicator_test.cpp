#include "benches/kit/nccl/communicator.hpp"

#include <catch2/catch.hpp>

#include "benches/kit/clock.hpp"
#include "benches/kit/cuda/check.hpp"
#include "benches/kit/cuda/device.hpp"
#include "benches/kit/cuda/memory.hpp"
#include "benches/kit/errors.hpp"
#include "benches/kit/nccl/check.hpp"
#include "benches/kit/nccl/log.hpp"
#include "benches/kit/nccl/log_file.hpp"

using namespace rackproof;
using namespace rackproof::kit;

namespace {

std::vector<int> all_devices() {
  std::vector<int> indices;
  for (const cuda::Device& device : cuda::devices()) indices.push_back(device.index);
  return indices;
}

}  // namespace

TEST_CASE("all devices of this machine become a group that adds and is torn down") {
  const std::vector<int> devices = all_devices();
  const int ranks = static_cast<int>(devices.size());
  nccl::LogFile log;
  REQUIRE(log.works());
  nccl::BringUp times;
  auto members = nccl::bring_up(devices, 0, ranks, nccl::make_ids(1), 120, &times);
  REQUIRE(members.size() == devices.size());
  CHECK(times.begun <= times.joined);
  CHECK(times.joined <= times.ready);
  if (ranks == 1) CHECK(times.joined - times.begun < 3);
  std::vector<cuda::Stream> streams;
  std::vector<cuda::DeviceBuffer<int>> data;
  for (nccl::Communicator& member : members) {
    RACKPROOF_CUDA(cudaSetDevice(member.device()));
    streams.emplace_back();
    data.emplace_back(1);
    const int value = member.rank() + 1;
    cuda::copy_async(data.back().data(), &value, sizeof(value), streams.back());
    streams.back().synchronize();
    CHECK(member.asynchronous_error() == ncclSuccess);
  }
  RACKPROOF_NCCL(ncclGroupStart());
  for (std::size_t i = 0; i < members.size(); ++i) {
    RACKPROOF_CUDA(cudaSetDevice(members[i].device()));
    RACKPROOF_NCCL(ncclAllReduce(data[i].data(), data[i].data(), 1, ncclInt32, ncclSum,
                                 members[i].get(), streams[i].get()));
  }
  RACKPROOF_NCCL(ncclGroupEnd());
  for (std::size_t i = 0; i < members.size(); ++i) {
    streams[i].synchronize();
    CHECK(cuda::read_one(data[i].data()) == ranks * (ranks + 1) / 2);
  }
  const contract::Parameters facts = nccl::to_facts(nccl::parse_log(log.text()));
  CHECK(facts.contains("coll_channels"));
  CHECK(std::get<std::int64_t>(facts.at("nodes")) == 1);
}

TEST_CASE("a group whose second member does not come ends at its deadline") {
  const double start = now_seconds();
  CHECK_THROWS_WITH(nccl::bring_up({0}, 0, 2, nccl::make_ids(1), 3),
                    Catch::Contains("did not come together within 3 s"));
  CHECK(now_seconds() - start >= 3);
  CHECK(now_seconds() - start < 30);
}

TEST_CASE("several ids bring up a group too") {
  auto members = nccl::bring_up({0}, 0, 1, nccl::make_ids(1), 60);
  CHECK(members.front().size() == 1);
  const std::vector<int> devices = all_devices();
  if (devices.size() < 2) return;
  auto group = nccl::bring_up(devices, 0, static_cast<int>(devices.size()), nccl::make_ids(2), 120);
  CHECK(group.size() == devices.size());
}
