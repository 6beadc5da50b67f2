#pragma once

#include <array>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace rackproof::evidence {

/// What becomes of a value in a document. kContrary: another one that its type allows, and that
/// what stands beside it may contradict.
enum class Spoil { kAbsent, kEmpty, kDoubled, kOtherType, kHuge, kTiny, kNegative, kContrary };

inline constexpr std::array kSpoils = {Spoil::kAbsent,    Spoil::kEmpty,   Spoil::kDoubled,
                                       Spoil::kOtherType, Spoil::kHuge,    Spoil::kTiny,
                                       Spoil::kNegative,  Spoil::kContrary};

/// "absent", "empty", ...: the heading of its column.
std::string_view word(Spoil spoil);

/// Does it to the value that the pointer names; nothing when the value has no such spoil (a
/// negative truth) or is not there any more. `words`: what a text may be by its schema, for its
/// contrary.
std::optional<nlohmann::json> spoiled(const nlohmann::json& document, const std::string& pointer,
                                      Spoil spoil, const std::vector<std::string>& words = {});

/// The document as text, with the members that kDoubled gave twice.
std::string text_of(const nlohmann::json& document);

/// Pointers to every value in a document but the whole, parents before their children.
std::vector<std::string> places_in(const nlohmann::json& document);

}  // namespace rackproof::evidence
