#include "tests/evidence/allowed.hpp"

#include <array>

namespace rackproof::evidence {
namespace {

constexpr std::string_view kNobodyLooked =
    "nobody looked: so it is on ranks beside the one that looks at their host";
constexpr std::string_view kQuiet = "says that hardly anything else ran, which may be";
constexpr std::string_view kExpected =
    "nothing else in it says what was meant to be there; the seals of the journals, a signature, "
    "and "
    "`extent` of the suite and the table hold it";
constexpr std::string_view kInjected =
    "the bench alone says that a test-only fault was on; nobody but its own tests and `prove` has "
    "one";
constexpr std::string_view kDemands = "who writes the suite or the table says what is owed";

constexpr std::array kAllowed = {
    Allowed{"record", "/hello/fault_injected", Spoil::kAbsent, kInjected},
    Allowed{"record", "/hello/fault_injected", Spoil::kEmpty, kInjected},
    Allowed{"journal", "/end/load", Spoil::kAbsent, kNobodyLooked},
    Allowed{"journal", "/end/load/busy", Spoil::kTiny, kQuiet},
    Allowed{"journal", "/end/load/waited", Spoil::kTiny, kQuiet},
    Allowed{"journal", "/run/run/extent", Spoil::kAbsent, kExpected},
    Allowed{"journal", "/run/run/extent", Spoil::kEmpty, kExpected},
    Allowed{"journal", "/run/run/extent/hosts", Spoil::kAbsent, kExpected},
    Allowed{"report", "/attempts/*/load", Spoil::kAbsent, kNobodyLooked},
    Allowed{"report", "/attempts/*/load", Spoil::kEmpty, kNobodyLooked},
    Allowed{"report", "/attempts/*/load/busy", Spoil::kAbsent, kQuiet},
    Allowed{"report", "/attempts/*/load/busy", Spoil::kTiny, kQuiet},
    Allowed{"report", "/attempts/*/load/waited", Spoil::kTiny, kQuiet},
    Allowed{"report", "/attempts/*/fault_injected", Spoil::kAbsent, kInjected},
    Allowed{"report", "/attempts/*/fault_injected", Spoil::kEmpty, kInjected},
    Allowed{"report", "/run/extent", Spoil::kAbsent, kExpected},
    Allowed{"report", "/run/extent", Spoil::kEmpty, kExpected},
    Allowed{"report", "/run/extent/hosts", Spoil::kAbsent, kExpected},
    Allowed{"suite", "/claims", Spoil::kAbsent, kDemands},
    Allowed{"suite", "/claims", Spoil::kTiny, kDemands},
    Allowed{"suite", "/judge/disturbed", Spoil::kContrary, kDemands},
    Allowed{"suite", "/steps/*/expect/*/parameters/size", Spoil::kTiny, kDemands},
    Allowed{"table", "/baselines/*/demand", Spoil::kAbsent, kDemands},
    Allowed{"table", "/baselines/*/demand", Spoil::kEmpty, kDemands},
    Allowed{"table", "/baselines/*/demand/way", Spoil::kAbsent, kDemands},
    Allowed{"table", "/waive/*/parameters", Spoil::kAbsent, kDemands},
    Allowed{"table", "/waive/*/parameters", Spoil::kEmpty, kDemands},
    Allowed{"table", "/waive/*/parameters/size", Spoil::kAbsent, kDemands},
};

}  // namespace

std::span<const Allowed> allowed() { return kAllowed; }

}  // namespace rackproof::evidence
