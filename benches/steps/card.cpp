#include "benches/steps/card.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <sstream>
#include <system_error>

#include "benches/kit/errors.hpp"
#include "benches/steps/flat_json.hpp"

namespace rackproof::steps {
namespace {

constexpr std::int64_t kMostSize = std::int64_t{1} << 20;
constexpr std::int64_t kMostCount = 65536;
constexpr std::uintmax_t kMostBytes = 1 << 20;

struct Precision {
  std::string_view word;
  std::int64_t bytes;
};
constexpr std::array<Precision, 4> kPrecisions{{{"fp32", 4}, {"bf16", 2}, {"fp16", 2}, {"fp8", 1}}};

struct Number {
  const char* field;
  std::int64_t Card::*member;
  std::int64_t most;
};
constexpr std::array<Number, 7> kNumbers{
    {{"hidden_size", &Card::hidden, kMostSize},
     {"layers", &Card::layers, kMostCount},
     {"heads", &Card::heads, kMostCount},
     {"kv_heads", &Card::kv_heads, kMostCount},
     {"feed_forward", &Card::feed_forward, kMostSize},
     {"experts", &Card::experts, kMostCount},
     {"experts_per_token", &Card::experts_per_token, kMostCount}}};

using Fields = std::map<std::string, FlatField>;

class CardReader {
 public:
  CardReader(const Fields& fields, std::string_view name) : fields_(fields), name_(name) {}

  Card read() const {
    refuse_unknown();
    Card card;
    card.name = text("name", "a text of 1 to 64 characters");
    if (card.name.empty() || card.name.size() > 64) fail("name", "a text of 1 to 64 characters");
    for (const Number& number : kNumbers) card.*number.member = integer(number);
    card.precision = text("precision", precisions());
    if (bytes_of_precision(card.precision) == 0) fail("precision", precisions());
    demand(card.hidden % card.heads == 0, "heads",
           fmt::format("a divisor of \"hidden_size\" {}", card.hidden));
    demand(card.heads % card.kv_heads == 0, "kv_heads",
           fmt::format("a divisor of \"heads\" {}", card.heads));
    demand(card.experts_per_token <= card.experts, "experts_per_token",
           fmt::format("at most \"experts\" {}", card.experts));
    return card;
  }

 private:
  static std::string precisions() {
    std::vector<std::string_view> words;
    for (const Precision& precision : kPrecisions) words.push_back(precision.word);
    return fmt::format("one of {}", fmt::join(words, ", "));
  }

  void refuse_unknown() const {
    std::vector<std::string_view> known{"name", "precision"};
    for (const Number& number : kNumbers) known.emplace_back(number.field);
    for (const auto& [field, value] : fields_) {
      if (std::find(known.begin(), known.end(), field) != known.end()) continue;
      throw kit::UsageError(fmt::format("{}:{}: \"{}\": expected one of the fields {}", name_,
                                        value.line, field, fmt::join(known, ", ")));
    }
  }

  const FlatField& field(const char* name, std::string_view expected) const {
    const auto at = fields_.find(name);
    if (at == fields_.end()) {
      throw kit::UsageError(
          fmt::format("{}: \"{}\" is missing: expected {}", name_, name, expected));
    }
    return at->second;
  }

  std::string text(const char* name, std::string_view expected) const {
    const auto* const value = std::get_if<std::string>(&field(name, expected).value);
    if (value == nullptr) fail(name, expected);
    return *value;
  }

  std::int64_t integer(const Number& number) const {
    const std::string expected = fmt::format("an integer from 1 to {}", number.most);
    const auto* const value = std::get_if<std::int64_t>(&field(number.field, expected).value);
    if (value == nullptr || *value < 1 || *value > number.most) fail(number.field, expected);
    return *value;
  }

  void demand(bool holds, const char* name, const std::string& expected) const {
    if (!holds) fail(name, expected);
  }

  [[noreturn]] void fail(const char* name, std::string_view expected) const {
    const FlatField& found = fields_.at(name);
    const std::string value =
        std::visit([](const auto& one) { return fmt::format("{}", one); }, found.value);
    throw kit::UsageError(fmt::format("{}:{}: \"{}\": expected {}, found {}", name_, found.line,
                                      name, expected, value.substr(0, 80)));
  }

  const Fields& fields_;
  std::string name_;
};

std::string read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t bytes = std::filesystem::file_size(path, error);
  if (error) {
    throw kit::UsageError(fmt::format("--card {}: expected a model card, and it cannot be read: {}",
                                      path.string(), error.message()));
  }
  if (bytes > kMostBytes) {
    throw kit::UsageError(
        fmt::format("--card {}: expected a model card of at most {} bytes, it has {}",
                    path.string(), kMostBytes, bytes));
  }
  std::ifstream file(path, std::ios::binary);
  std::ostringstream text;
  text << file.rdbuf();
  if (!file) {
    throw kit::UsageError(
        fmt::format("--card {}: expected a model card, and it cannot be read", path.string()));
  }
  return text.str();
}

std::vector<std::string> names_in(const std::vector<std::filesystem::path>& folders) {
  std::vector<std::string> names;
  for (const auto& folder : folders) {
    std::error_code error;
    for (const auto& entry : std::filesystem::directory_iterator(folder, error)) {
      if (entry.path().extension() == ".json") names.push_back(entry.path().stem());
    }
  }
  std::sort(names.begin(), names.end());
  names.erase(std::unique(names.begin(), names.end()), names.end());
  return names;
}

}  // namespace

std::int64_t bytes_of_precision(std::string_view precision) {
  for (const Precision& known : kPrecisions) {
    if (known.word == precision) return known.bytes;
  }
  return 0;
}

Card parse_card(std::string_view text, std::string_view name) {
  const Fields fields = read_flat_json(text, name);
  return CardReader(fields, name).read();
}

std::vector<std::filesystem::path> card_folders() {
  std::error_code error;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", error);
  if (error) return {};
  // libexec/rackproof/steps-host, or bin/rackproof-mpi where the bench runs inside a rank.
  const auto folder = program.parent_path();
  return {folder / "../../share/rackproof/cards", folder / "../share/rackproof/cards"};
}

Card load_card(const std::string& word, const std::vector<std::filesystem::path>& folders) {
  if (word.find('/') != std::string::npos || word.ends_with(".json")) {
    return parse_card(read_file(word), word);
  }
  for (const auto& folder : folders) {
    const auto path = folder / (word + ".json");
    std::error_code error;
    if (std::filesystem::exists(path, error)) return parse_card(read_file(path), word + ".json");
  }
  throw kit::UsageError(
      fmt::format("--card {}: expected a file NAME.json or one of the shipped cards: {}", word,
                  fmt::join(names_in(folders), ", ")));
}

Card scaled(Card card, std::int64_t layers, std::int64_t scale) {
  if (layers != 0) card.layers = layers;
  for (std::int64_t Card::*size : {&Card::hidden, &Card::feed_forward}) {
    if (card.*size % scale != 0) {
      throw kit::UsageError(
          fmt::format("--scale {}: expected a divisor of the hidden size and the feed-forward size "
                      "of {}, {} and {}",
                      scale, card.name, card.hidden, card.feed_forward));
    }
  }
  card.hidden /= scale;
  card.feed_forward /= scale;
  if (card.hidden % card.heads != 0) {
    throw kit::UsageError(
        fmt::format("--scale {}: expected one that leaves each of the {} heads of {} a "
                    "whole number of elements, and {} are left for all",
                    scale, card.heads, card.name, card.hidden));
  }
  return card;
}

}  // namespace rackproof::steps
