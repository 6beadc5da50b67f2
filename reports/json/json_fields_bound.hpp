#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/metric_bound.hpp"

/// What bounds of metrics are in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, MetricBound>
void describe(V& v, T& bound) {
  v.field("metric", bound.metric);
  v.field("backends", bound.backends);
  v.maybe("where", bound.where);
  v.field("unit", bound.unit);
  v.field("better", bound.better);
  v.maybe("facts", bound.facts);
  v.field("most", bound.most);
  v.maybe("reason", bound.reason);
  v.maybe("spread", bound.spread);
  v.maybe("sisters", bound.sisters);
  v.maybe("apart", bound.apart);
}

}  // namespace rackproof::model
