#pragma once

#include <array>

#include "contract/words.hpp"

namespace rackproof::contract {

/// What kind of thing a number is about.
enum class SubjectKind { kNode, kDevice, kLink, kGroup };

inline constexpr std::array kSubjectKindWords = {
    Word{SubjectKind::kNode, "node"}, Word{SubjectKind::kDevice, "device"},
    Word{SubjectKind::kLink, "link"}, Word{SubjectKind::kGroup, "group"}};
constexpr const auto& words_of(SubjectKind) { return kSubjectKindWords; }

}  // namespace rackproof::contract
