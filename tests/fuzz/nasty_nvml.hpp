#pragma once

#include <cstddef>
#include <cstdint>

/// What the NVML of tests/fuzz answers from now on: bytes that are used up call by call.
// NOLINTNEXTLINE(readability-identifier-naming): looked up by name
extern "C" void nasty_nvml_answers(const std::uint8_t* data, std::size_t size);
