#pragma once

#include <concepts>
#include <cstdint>
#include <type_traits>

#include "reports/model/progress.hpp"

/// How far a member of a group was, in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, contract::Place>
void describe(V& v, T& place) {
  v.field("cell", place.cell);
  v.field("iteration", place.iteration);
  v.maybe("exchange", place.exchange);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, Progress>
void describe(V& v, T& progress) {
  v.field("operation", progress.operation);
  v.field("bytes", progress.bytes);
  v.maybe("entered", progress.entered);
  v.maybe("completed", progress.completed);
  v.unless("span", progress.span, std::int64_t{1});
  v.field("still_seconds", progress.still_seconds);
  v.maybe("state", progress.state);
}

}  // namespace rackproof::model
