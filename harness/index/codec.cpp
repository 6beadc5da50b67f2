#include "harness/index/codec.hpp"

#include <bit>
#include <map>
#include <vector>

namespace rackproof::index {
namespace {

using Numbering = std::map<std::string_view, std::size_t>;

// Numbers texts in their order, so that equal sets get equal numbers.
void put_texts(Writer& writer, Numbering& texts) {
  writer.number(texts.size());
  std::size_t next = 0;
  for (auto& [text, number] : texts) {
    number = next++;
    writer.text(text);
  }
}

std::vector<std::string_view> get_texts(Reader& reader) {
  std::vector<std::string_view> texts(reader.count());
  for (std::string_view& text : texts) text = reader.text();
  return texts;
}

std::string encode_layout(const compare::Sample& sample) {
  Numbering labels;
  for (const auto& [key, numbers] : sample.numbers) {
    for (const auto& [label, number] : numbers.of) labels[label];
  }
  Writer writer;
  put_texts(writer, labels);
  writer.number(sample.numbers.size());
  for (const auto& [key, numbers] : sample.numbers) {
    writer.text(key.step);
    writer.text(key.metric);
    writer.text(key.parameters);
    writer.text(key.unit);
    writer.number(static_cast<std::uint64_t>(key.kind));
    writer.number(static_cast<std::uint64_t>(numbers.better));
    writer.number(numbers.of.size());
    for (const auto& [label, number] : numbers.of) writer.number(labels.at(label));
  }
  return writer.take();
}

std::string encode_facts(const compare::Sample& sample) {
  Numbering texts;
  for (const auto& [label, facts] : sample.facts_of) {
    texts[label];
    for (const auto& [name, value] : facts) {
      texts[name];
      texts[value];
    }
  }
  Writer writer;
  put_texts(writer, texts);
  writer.number(sample.facts_of.size());
  for (const auto& [label, facts] : sample.facts_of) {
    writer.number(texts.at(label));
    writer.number(facts.size());
    for (const auto& [name, value] : facts) {
      writer.number(texts.at(name));
      writer.number(texts.at(value));
    }
  }
  return writer.take();
}

std::string encode_values(const compare::Sample& sample) {
  Writer writer;
  writer.text(sample.run);
  writer.text(sample.began_utc);
  writer.text(sample.suite);
  writer.text(sample.suite_digest);
  writer.number(static_cast<std::uint64_t>(sample.acceptance));
  writer.number(sample.without_number);
  writer.number(sample.measured_before);
  for (const auto& [key, numbers] : sample.numbers) {
    for (const auto& [label, number] : numbers.of) writer.real(number);
  }
  return writer.take();
}

template <class Enum>
Enum choice(Reader& reader, Enum last) {
  return static_cast<Enum>(reader.below(static_cast<std::size_t>(last) + 1));
}

void decode_numbers(compare::Sample& sample, Reader& layout, Reader& values) {
  const std::vector<std::string_view> labels = get_texts(layout);
  for (std::size_t keys = layout.count(); keys > 0; --keys) {
    compare::Key key;
    key.step = layout.text();
    key.metric = layout.text();
    key.parameters = layout.text();
    key.unit = layout.text();
    key.kind = choice(layout, contract::SubjectKind::kGroup);
    compare::Numbers numbers;
    numbers.better = choice(layout, contract::Better::kLess);
    for (std::size_t count = layout.count(); count > 0; --count) {
      const std::string_view label = labels[layout.below(labels.size())];
      numbers.of.emplace_hint(numbers.of.end(), label, values.real());
    }
    sample.numbers.emplace_hint(sample.numbers.end(), std::move(key), std::move(numbers));
  }
}

void decode_facts(compare::Sample& sample, Reader& reader) {
  const std::vector<std::string_view> texts = get_texts(reader);
  for (std::size_t subjects = reader.count(); subjects > 0; --subjects) {
    std::map<std::string, std::string> facts;
    const std::string_view label = texts[reader.below(texts.size())];
    for (std::size_t count = reader.count(); count > 0; --count) {
      const std::string_view name = texts[reader.below(texts.size())];
      facts.emplace_hint(facts.end(), name, texts[reader.below(texts.size())]);
    }
    sample.facts_of.emplace_hint(sample.facts_of.end(), label, std::move(facts));
  }
}

}  // namespace

void Writer::number(std::uint64_t value) {
  for (; value > 127; value >>= 7U) bytes_ += static_cast<char>(value | 128U);
  bytes_ += static_cast<char>(value);
}

void Writer::real(double value) {
  auto bits = std::bit_cast<std::uint64_t>(value);
  for (int i = 0; i < 8; ++i, bits >>= 8U) bytes_ += static_cast<char>(bits & 255U);
}

void Writer::text(std::string_view value) {
  number(value.size());
  bytes_ += value;
}

std::string_view Reader::take(std::size_t size) {
  if (size > rest_.size()) throw BadBytes("ends too early");
  const std::string_view taken = rest_.substr(0, size);
  rest_.remove_prefix(size);
  return taken;
}

std::uint64_t Reader::number() {
  std::uint64_t value = 0;
  for (unsigned int shift = 0; shift < 64; shift += 7) {
    const auto byte = static_cast<unsigned char>(take(1).front());
    value |= static_cast<std::uint64_t>(byte & 127U) << shift;
    if (byte < 128) return value;
  }
  throw BadBytes("a number without an end");
}

std::size_t Reader::count() {
  const std::uint64_t value = number();
  if (value > rest_.size()) throw BadBytes("more than there is room for");
  return value;
}

std::size_t Reader::below(std::size_t end) {
  const std::uint64_t value = number();
  if (value >= end) throw BadBytes("a number that is too large");
  return value;
}

double Reader::real() {
  const std::string_view bytes = take(8);
  std::uint64_t bits = 0;
  for (int i = 7; i >= 0; --i) {
    bits = bits << 8U | static_cast<unsigned char>(bytes[static_cast<std::size_t>(i)]);
  }
  return std::bit_cast<double>(bits);
}

std::string_view Reader::text() { return take(count()); }

void Reader::finish() const {
  if (!rest_.empty()) throw BadBytes("goes on too long");
}

Parts encode(const compare::Sample& sample) {
  return {encode_layout(sample), encode_facts(sample), encode_values(sample)};
}

compare::Sample decode(const PartViews& parts) {
  compare::Sample sample;
  Reader values(parts.values);
  sample.run = values.text();
  sample.began_utc = values.text();
  sample.suite = values.text();
  sample.suite_digest = values.text();
  sample.acceptance = choice(values, model::Acceptance::kVerified);
  sample.without_number = values.number();
  sample.measured_before = values.number();
  Reader layout(parts.layout);
  decode_numbers(sample, layout, values);
  values.finish();
  layout.finish();
  Reader facts(parts.facts);
  decode_facts(sample, facts);
  facts.finish();
  return sample;
}

}  // namespace rackproof::index
