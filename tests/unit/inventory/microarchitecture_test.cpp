#include "harness/inventory/microarchitecture.hpp"

#include <catch2/catch.hpp>

namespace rackproof::inventory {
namespace {

CpuIdentity x86(const std::string& vendor, int family, int model, std::set<std::string> flags,
                const std::string& name = "") {
  return {vendor, family, model, -1, name, std::move(flags)};
}

const std::set<std::string> kAvx2 = {"avx2", "fma"};
const std::set<std::string> kAvx512 = {"avx2", "fma", "avx512f"};

}  // namespace

TEST_CASE("AMD cores") {
  CHECK(identify(x86("AuthenticAMD", 0x17, 0x01, kAvx2)).fp64_flops_a_cycle == 8);
  CHECK(identify(x86("AuthenticAMD", 0x17, 0x31, kAvx2)).fp64_flops_a_cycle == 16);
  CHECK(identify(x86("AuthenticAMD", 0x19, 0x01, kAvx2)).name == "AMD Zen 3");
  CHECK(identify(x86("AuthenticAMD", 0x19, 0x11, kAvx512)).name == "AMD Zen 4");
  CHECK(identify(x86("AuthenticAMD", 0x19, 0x11, kAvx512)).fp64_flops_a_cycle == 16);
  CHECK(identify(x86("AuthenticAMD", 0x1a, 0x02, kAvx512)).fp64_flops_a_cycle == 32);
}

TEST_CASE("a hypervisor that hides AVX-512 halves what can be used") {
  CHECK(identify(x86("AuthenticAMD", 0x1a, 0x02, kAvx2)).fp64_flops_a_cycle == 16);
  CHECK(identify(x86("GenuineIntel", 6, 0x8f, kAvx2)).fp64_flops_a_cycle == 16);
  CHECK(identify(x86("GenuineIntel", 6, 0x8f, {"sse4_2"})).fp64_flops_a_cycle == 0);
}

TEST_CASE("Skylake-SP depends on the product line, and an unclear name is not guessed") {
  const auto flops = [](const std::string& name) {
    return identify(x86("GenuineIntel", 6, 0x55, kAvx512, name)).fp64_flops_a_cycle;
  };
  CHECK(flops("Intel(R) Xeon(R) Platinum 8280 CPU @ 2.70GHz") == 32);
  CHECK(flops("Intel(R) Xeon(R) Gold 6148 CPU @ 2.40GHz") == 32);
  CHECK(flops("Intel(R) Xeon(R) Silver 4110 CPU @ 2.10GHz") == 16);
  CHECK(flops("Intel(R) Xeon(R) Gold 5118 CPU @ 2.30GHz") == 0);
  CHECK(flops("Intel Xeon Processor (Skylake, IBRS)") == 0);
}

TEST_CASE("Intel server cores since Ice Lake") {
  for (const int model : {0x6a, 0x8f, 0xcf, 0xad}) {
    CHECK(identify(x86("GenuineIntel", 6, model, kAvx512)).fp64_flops_a_cycle == 32);
  }
  CHECK(identify(x86("GenuineIntel", 6, 0x3f, kAvx2)).fp64_flops_a_cycle == 16);
}

TEST_CASE("Arm cores") {
  CHECK(identify({"0x41", -1, -1, 0xd4f, "", {}}).fp64_flops_a_cycle == 16);
  CHECK(identify({"0x41", -1, -1, 0xd0c, "", {}}).fp64_flops_a_cycle == 8);
}

TEST_CASE("what is not in the table is not guessed") {
  const Microarchitecture future = identify(x86("AuthenticAMD", 0x1b, 0x02, kAvx512));
  CHECK(future.fp64_flops_a_cycle == 0);
  CHECK(future.name.empty());
  CHECK(future.why == "no table entry for vendor AuthenticAMD family 27 model 2");
  CHECK(identify({"0x4e", -1, -1, 0x10, "", {}}).why == "no table entry for vendor 0x4e part 16");
  CHECK(identify({}).why == "the processor does not name its vendor");
}

}  // namespace rackproof::inventory
