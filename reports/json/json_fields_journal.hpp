#pragma once

#include <concepts>
#include <type_traits>

#include "reports/model/journal.hpp"

/// What journals are in a report: a part of the list in json_fields.hpp.
namespace rackproof::model {

template <class V, class T>
requires std::same_as<std::remove_const_t<T>, JournalInfo>
void describe(V& v, T& journal) {
  v.field("file", journal.file);
  v.field("segment", journal.segment);
  v.field("rank", journal.rank);
  v.field("bytes", journal.bytes);
  v.field("lines", journal.lines);
  v.field("sha256", journal.sha256);
  v.maybe("head", journal.head);
  v.maybe("damaged", journal.damaged);
}

}  // namespace rackproof::model
