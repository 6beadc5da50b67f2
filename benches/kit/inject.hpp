#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace rackproof::kit {

/// A test-only fault: flip one bit of one element of a result after it was computed and before it
/// is checked, to prove that the check looks. Asked for with --inject bitflip:ELEMENT:BIT. A
/// process that runs with one says so in its `hello`, and nothing it measures can pass.
struct Injection {
  std::int64_t element = 0;
  int bit = 0;
};

/// Reads "bitflip:ELEMENT:BIT". Throws UsageError.
Injection parse_injection(std::string_view text);

/// Flips bit `injection.bit` (modulo the element's width) of element `injection.element` (modulo
/// `count`) of an array whose elements are `element_bytes` wide.
void flip(const Injection& injection, void* array, std::int64_t count, std::size_t element_bytes);

}  // namespace rackproof::kit
