#include <utility>

#include "benches/kit/reporter.hpp"

namespace rackproof::kit {
namespace {

class RecordReporter final : public Reporter {
 public:
  RecordReporter(protocol::Sink sink, std::string nonce, std::optional<Injection> injection)
      : Reporter(injection), emitter_(std::move(sink), std::move(nonce)) {}

  void hello(const protocol::Hello& record) override { emitter_.emit(record); }
  void end(const protocol::End& record) override { emitter_.emit(record); }
  void device(protocol::Device record) override { emitter_.emit(record); }
  void token(protocol::Token record) override { emitter_.emit(record); }
  void phase(std::string name, double fraction) override {
    emitter_.emit(protocol::Phase{std::move(name), fraction});
  }
  void note(std::string text, contract::Parameters facts) override {
    emitter_.emit(protocol::Note{std::move(text), std::move(facts)});
  }

 protected:
  void say(const protocol::Check& record) override { emitter_.emit(record); }
  void say(protocol::Metric record, bool /*proved*/) override { emitter_.emit(std::move(record)); }

 private:
  protocol::Emitter emitter_;
};

}  // namespace

std::unique_ptr<Reporter> make_record_reporter(protocol::Sink sink, std::string nonce,
                                               std::optional<Injection> injection) {
  return std::make_unique<RecordReporter>(std::move(sink), std::move(nonce), injection);
}

}  // namespace rackproof::kit
