#include "harness/telemetry/field_value.hpp"

#include <cstring>

#include "harness/telemetry/missing.hpp"

namespace rackproof::telemetry {

double number_of(const nvml::FieldValue& field) {
  const auto as = [&field](auto kind) {
    decltype(kind) value{};
    std::memcpy(&value, field.value, sizeof value);
    return static_cast<double>(value);
  };
  switch (field.type) {
    case nvml::kTypeDouble:
      return as(double{});
    case nvml::kTypeUnsigned:
      return as(0U);
    case nvml::kTypeUnsignedLong:
    case nvml::kTypeUnsignedLongLong:
      return as(0ULL);
    case nvml::kTypeSignedLongLong:
      return as(0LL);
    case nvml::kTypeSigned:
      return as(0);
    case nvml::kTypeUnsignedShort:
      return as(static_cast<unsigned short>(0));
    default:
      return missing(Why::kNonsense);
  }
}

}  // namespace rackproof::telemetry
