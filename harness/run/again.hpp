#pragma once

#include "reports/model/subject.hpp"

namespace rackproof::run {

/// Whether an attempt at `own` measures what `subject` is: a group measures the links between its
/// members too, and a node its devices and the links between them.
bool measures(const model::Subject& own, const model::Subject& subject);

}  // namespace rackproof::run
