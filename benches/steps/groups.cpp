#include "benches/steps/groups.hpp"
#include "benches/kit/results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>

namespace rackproof::steps {
namespace {

// A place as text travels in doubles, four characters each.
constexpr std::size_t kPlaceWords = 24;
constexpr std::size_t kFields = 5 + kPlaceWords;

std::vector<double> pack(const Findings& findings) {
  std::vector<double> packed(kFields);
  packed[0] = static_cast<double>(findings.compared);
  packed[1] = static_cast<double>(findings.wrong);
  packed[2] = findings.all_counted ? 1 : 0;
  if (!findings.first) return packed;
  // A NaN would lose its bits on the way.
  std::uint32_t bits = 0;
  std::memcpy(&bits, &findings.first->got, sizeof(bits));
  packed[3] = static_cast<double>(bits);
  packed[4] = static_cast<double>(findings.first->want);
  const std::string& where = findings.first->where;
  for (std::size_t i = 0; i < std::min(where.size(), 4 * kPlaceWords); ++i) {
    const auto letter = static_cast<double>(static_cast<unsigned char>(where[i]));
    packed[5 + i / 4] += letter * static_cast<double>(1U << (8 * (i % 4)));
  }
  return packed;
}

std::string place_in(const double* packed) {
  std::string where;
  for (std::size_t i = 0; i < 4 * kPlaceWords; ++i) {
    const auto word = static_cast<std::uint32_t>(packed[5 + i / 4]);
    const char letter = static_cast<char>(word >> (8 * (i % 4)) & 0xFFU);
    if (letter == '\0') break;
    where += letter;
  }
  return where;
}

}  // namespace

Groups make_groups(Network& network, const Layout& layout, const Place& place) {
  const auto rank_at = [&](std::int64_t tensor, std::int64_t expert, std::int64_t data,
                           std::int64_t stage) {
    return static_cast<int>(rank_of({tensor, expert, data, stage}, layout));
  };
  Groups groups;
  groups.world = network.world();
  const int rank = groups.world.rank();
  groups.tensor = network.split(rank_at(0, place.expert, place.data, place.stage), rank);
  groups.replicas = network.split(rank_at(place.tensor, 0, 0, place.stage), rank);
  groups.expert = network.split(rank_at(place.tensor, 0, place.data, place.stage), rank);
  groups.data = network.split(rank_at(place.tensor, place.expert, 0, place.stage), rank);
  return groups;
}

std::vector<double> largest_of_ranks(const Group& group, const std::vector<double>& values) {
  const std::vector<double> all = group.gather(values);
  std::vector<double> largest = values;
  for (std::size_t i = 0; i < all.size(); ++i) {
    largest[i % values.size()] = std::max(largest[i % values.size()], all[i]);
  }
  return largest;
}

void agree_on_pace(const Group& group, Cores& cores) {
  std::vector<double> least;
  for (const auto& work : cores.least().seconds)
    least.insert(least.end(), work.begin(), work.end());
  const std::vector<double> largest = largest_of_ranks(group, least);
  WorkTimes pace;
  const double* from = largest.data();
  for (auto& work : pace.seconds) {
    for (double& seconds : work) seconds = *from++;
  }
  cores.set_pace(pace);
}

protocol::Check check_of_ranks(const Group& world, const std::string& name,
                               const std::string& detail, const Findings& findings) {
  const std::vector<double> all = world.gather(pack(findings));
  protocol::Check check;
  check.name = name;
  check.detail = detail;
  bool counted = true;
  for (int rank = 0; rank < world.size(); ++rank) {
    const double* packed = all.data() + static_cast<std::size_t>(rank) * kFields;
    check.compared += static_cast<std::int64_t>(packed[0]);
    check.wrong += static_cast<std::int64_t>(packed[1]);
    counted = counted && packed[2] > 0;
    if (packed[1] == 0 || check.first_wrong) continue;
    const auto bits = static_cast<std::uint32_t>(packed[3]);
    float got = 0;
    std::memcpy(&got, &bits, sizeof(got));
    check.first_wrong =
        protocol::FirstWrong{fmt::format("rank {}, {}", rank, place_in(packed)),
                             fmt::format("{} (bits {:08x})", got, bits),
                             fmt::format("{}", static_cast<std::int64_t>(packed[4])), rank};
  }
  kit::decide(check);
  if (!counted) check.detail += "; more may be wrong than were counted";
  return check;
}

}  // namespace rackproof::steps
