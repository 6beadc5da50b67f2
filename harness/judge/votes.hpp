#pragma once

#include <vector>

#include "harness/judge/cell.hpp"

namespace rackproof::judge {

/// Compares the digests of passed checks: of one step, check, arguments (the device and the member
/// number apart), version, build and libraries, over all devices of one name, or processors of one
/// model. The same input has to give the same bits on each, so
///  - a voter that differs from more than half of at least three is wrong: its cells fail;
///  - where no digest has more than half, or two voters differ, nobody can tell which is right: the
///    cells of all are untested;
///  - a voter that gave different digests in its own attempts is wrong whatever the others say.
/// A voter's cells are those that its check proves, or all that its process concerns when it proves
/// none. Waived cells stay as they are. Returns a finding for each wrong voter and each tie.
std::vector<model::Finding> count_votes(const Context& context, std::vector<Judgement>& judgements);

}  // namespace rackproof::judge
