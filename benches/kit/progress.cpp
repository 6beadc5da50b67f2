#include "benches/kit/progress.hpp"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cstdlib>
#include <cstring>
#include <new>

namespace rackproof::kit {
namespace {

using contract::Place;
using contract::ProgressPage;

void attach(ProgressPage& page) {
  page.version.store(ProgressPage::kVersion, std::memory_order_release);
}

// Null when there is none, or none that can be mapped.
std::shared_ptr<ProgressPage> mapped(int descriptor) {
  void* const at =
      mmap(nullptr, sizeof(ProgressPage), PROT_READ | PROT_WRITE, MAP_SHARED, descriptor, 0);
  close(descriptor);
  if (at == MAP_FAILED) return nullptr;
  return {std::launder(static_cast<ProgressPage*>(at)),
          [](ProgressPage* page) { munmap(page, sizeof(ProgressPage)); }};
}

}  // namespace

ProgressWriter::ProgressWriter() : page_(std::make_shared<ProgressPage>()) {}

ProgressWriter::ProgressWriter(ProgressPage* page) : ProgressWriter() {
  if (page == nullptr) return;
  page_ = std::shared_ptr<ProgressPage>(page, [](ProgressPage*) {});
  attach(*page_);
}

ProgressWriter ProgressWriter::from_environment() {
  ProgressWriter writer;
  const char* const said = std::getenv(contract::kProgressVariable);
  if (said == nullptr) return writer;
  int descriptor = -1;
  const char* const end = said + std::strlen(said);
  const auto [stop, error] = std::from_chars(said, end, descriptor);
  if (error != std::errc() || stop != end || descriptor <= STDERR_FILENO) return writer;
  if (auto page = mapped(descriptor)) {
    attach(*page);
    writer.page_ = std::move(page);
  }
  return writer;
}

void ProgressWriter::begin(std::string_view title, std::int64_t bytes) {
  next_ = {next_.cell + 1, 0, 0};
  ProgressPage::Title& to = page_->titles[static_cast<std::size_t>(next_.cell % 2)];
  std::array<std::uint64_t, ProgressPage::kTitleWords> words{};
  std::memcpy(words.data(), title.data(), std::min(title.size(), sizeof(words)));
  for (std::size_t i = 0; i < words.size(); ++i) {
    to.text[i].store(words[i], std::memory_order_relaxed);
  }
  to.bytes.store(bytes, std::memory_order_relaxed);
}

Place ProgressWriter::next_operation() {
  const Place place{next_.cell, next_.iteration, 0};
  ++next_.iteration;
  next_.exchange = 0;
  return place;
}

Place ProgressWriter::next_exchange() {
  ++next_.exchange;
  return next_;
}

}  // namespace rackproof::kit
