#include "reports/openmetrics/families.hpp"

#include <catch2/catch.hpp>

namespace rackproof::openmetrics {

TEST_CASE("names have letters, digits and underscores") {
  CHECK(name_of("stream.triad") == "stream_triad");
  CHECK(name_of("4 k") == "_4_k");
  CHECK(name_of("") == "_");
  CHECK(name_of("__own") == "_own");
}

TEST_CASE("units are written out") {
  CHECK(unit_name("B/s") == "bytes_per_second");
  CHECK(unit_name("count").empty());
  CHECK(unit_name("").empty());
  CHECK(unit_name("mol/l") == "mol_l");
}

TEST_CASE("the samples of a family stand together, below what it is") {
  Families families;
  families.add("b", "s", "How long.", {{"host", "n1"}}, 1.5);
  families.add("a", "", "A \"thing\"\\.", {}, 3);
  families.add("b", "s", "Other words.", {{"host", "n2"}}, 2);
  CHECK(families.text() ==
        "# TYPE a gauge\n# HELP a A \"thing\"\\\\.\na 3\n"
        "# TYPE b_seconds gauge\n# UNIT b_seconds seconds\n# HELP b_seconds How long.\n"
        "b_seconds{host=\"n1\"} 1.5\nb_seconds{host=\"n2\"} 2\n# EOF\n");
}

TEST_CASE("no two samples of a family have the same labels, and no label comes twice") {
  Families families;
  families.add("a", "", "x", {{"p-q", "1"}, {"p_q", "2"}}, 1, {"cell", "c1"});
  families.add("a", "", "x", {{"p-q", "1"}, {"p_q", "2"}}, 2, {"cell", "c2"});
  families.add("a", "", "x", {{"p-q", "1"}, {"p_q", "2"}}, 3, {"cell", "c2"});
  CHECK(families.text() ==
        "# TYPE a gauge\n# HELP a x\na{p_q=\"1\",p_q_2=\"2\"} 1\n"
        "a{p_q=\"1\",p_q_2=\"2\",cell=\"c2\"} 2\n# EOF\n");
}

}  // namespace rackproof::openmetrics
