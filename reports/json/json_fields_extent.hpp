#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/extent.hpp"

/// What was meant to be there, in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, Asset>
void describe(V& v, T& asset) {
  v.field("host", asset.host);
  v.maybe("serial", asset.serial);
  v.maybe("gpus", asset.gpus);
}

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, Extent>
void describe(V& v, T& extent) {
  v.maybe("hosts", extent.hosts);
  v.maybe("gpus", extent.gpus);
  v.maybe("assets", extent.assets);
}

}  // namespace rackproof::model
