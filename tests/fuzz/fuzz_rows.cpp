#include <string>
#include <vector>

#include "harness/ingest/rows.hpp"
#include "tests/fuzz/fuzz.hpp"

using namespace rackproof;

namespace {

ingest::RowTable table_of(const std::string& text, std::size_t size) {
  ingest::RowReader reader;
  std::vector<ingest::ReadRows> parts(1);
  parts[0].blocks.push_back(reader.read({text.data(), size}, 1));
  parts[0].metrics = reader.metrics();
  return ingest::RowTable(std::move(parts));
}

}  // namespace

// Rows of any bytes are refused or become a table that has a column for each metric.
extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string text(fuzz::text_of(data, size));
  text.append(ingest::kRowPadding, '"');
  try {
    const ingest::RowTable table = table_of(text, size);
    const auto columns = table.columns(0, table.metrics().size());
    fuzz::expect(columns.size() == table.metrics().size(), "a column for each metric");
    for (const auto& column : columns) {
      fuzz::expect(column.size() == table.size(), "a value for each row");
    }
  } catch (const ingest::BadRow&) {
  }
  return 0;
}
