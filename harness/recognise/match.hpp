#pragma once

#include <optional>
#include <string_view>

#include "reports/model/report.hpp"

namespace rackproof::recognise {

/// The scalar as a number, or nothing for a text and a truth value.
std::optional<double> number(const contract::Scalar& value);

/// Equal values of one kind: whole and broken numbers are one kind, so that 4 equals 4.0.
bool same(const contract::Scalar& left, const contract::Scalar& right);

/// True when `glob` holds * or ?.
bool is_glob(std::string_view text);

/// True when every wanted parameter is there with the wanted value; a wanted text with * or ?
/// matches as a glob, against the text of a number too.
bool parameters_match(const contract::Parameters& wanted, const contract::Parameters& have);

/// True when what bounds a metric holds for this cell of it. `step` is the cell's, or null.
bool is_about(const model::MetricBound& bound, const model::Cell& cell,
              const model::StepInfo* step);

}  // namespace rackproof::recognise
