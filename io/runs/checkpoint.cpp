#include "io/runs/checkpoint.hpp"

#include <nlohmann/json.hpp>
#include <optional>

#include "io/model/read_model.hpp"
#include "io/model/write_model.hpp"
#include "io/runs/checked_cbor.hpp"
#include "mti/common/fault.hpp"

namespace mti {
namespace {

constexpr int checkpoint_version = 1;

/// visit(name, member) for what is kept of the options.
template <class Options, class Visit>
void kept_options(Options& options, Visit&& visit) {
  visit("start", options.start);
  visit("stop", options.stop);
  visit("rtol", options.rtol);
  visit("atol", options.atol);
  visit("output_interval", options.output_interval);
  visit("max_events", options.max_events);
  visit("max_candidates", options.max_candidates);
  visit("sliding", options.sliding);
  visit("remember", options.remember);
  visit("explain", options.explain);
  visit("integrator", options.integrator);
  visit("linear_solver", options.linear_solver);
}

struct OptionWriter {
  nlohmann::json& out;
  void operator()(const char* name, const std::optional<double>& value) const {
    if (value) out[name] = *value;
  }
  template <class Value>
  void operator()(const char* name, const Value& value) const {
    out[name] = value;
  }
};

struct OptionReader {
  const nlohmann::json& in;
  void operator()(const char* name, std::optional<double>& value) const {
    if (in.contains(name)) value = in.at(name).get<double>();
  }
  template <class Value>
  void operator()(const char* name, Value& value) const {
    value = in.at(name).get<Value>();
  }
};

}  // namespace

std::string write_checkpoint(const Checkpoint& checkpoint) {
  nlohmann::json options = nlohmann::json::object();
  kept_options(checkpoint.options, OptionWriter{options});
  return write_checked_cbor(
      {{"mti-checkpoint", checkpoint_version},
       {"model", to_json(checkpoint.source)},
       {"options", options},
       {"run", nlohmann::json::binary({checkpoint.run.begin(), checkpoint.run.end()})}});
}

Checkpoint read_checkpoint(std::string_view text) {
  constexpr const char* expected = "a checkpoint that mti has written";
  const nlohmann::json document = read_checked_cbor(text, expected);
  Checkpoint checkpoint;
  try {
    if (const int version = document.at("mti-checkpoint").get<int>(); version != checkpoint_version)
      throw UnusableFile("bad-saved-run", "",
                         "expected a checkpoint of format " + std::to_string(checkpoint_version) +
                             ", found format " + std::to_string(version));
    kept_options(checkpoint.options, OptionReader{document.at("options")});
    const auto& run = document.at("run").get_binary();
    checkpoint.run.assign(run.begin(), run.end());
    checkpoint.source = read_source(document.at("model").get<std::string>());
  } catch (const nlohmann::json::exception& error) {
    throw UnusableFile("bad-saved-run", "", std::string("expected ") + expected + "; " + error.what());
  }
  return checkpoint;
}

}  // namespace mti
