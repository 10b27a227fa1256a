#include "fmi/cosimulation/saved_state.hpp"

#include <algorithm>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <utility>

#include "fmi/cosimulation/log.hpp"
#include "io/runs/saved_run_text.hpp"
#include "mti/common/at.hpp"

namespace mti::fmi {
namespace {

using Json = nlohmann::json;

constexpr int format_version = 5;
constexpr std::size_t check_bytes = 8;

/// FNV-1a of 64 bits, as eight bytes.
std::string check_sum(std::string_view text) {
  std::uint64_t hash = 14695981039346656037ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 1099511628211ULL;
  std::string bytes;
  for (std::size_t i = 0; i < check_bytes; ++i) bytes += static_cast<char>((hash >> (8 * i)) & 0xffU);
  return bytes;
}

Json written(const std::optional<double>& number) { return number ? Json(*number) : Json(nullptr); }

std::optional<double> optional_number(const Json& json) {
  return json.is_null() ? std::nullopt : std::optional(json.get<double>());
}

Json written(const std::vector<InputValue>& inputs) {
  Json list = Json::array();
  for (const InputValue& input : inputs) list.push_back({input.is_set, input.value, input.slope});
  return list;
}

std::vector<InputValue> inputs_of(const Json& json) {
  std::vector<InputValue> inputs;
  for (const Json& entry : json)
    inputs.push_back({entry.at(0).get<bool>(), entry.at(1).get<double>(), entry.at(2).get<double>()});
  return inputs;
}

Json written(const std::vector<PassedPoint>& points) {
  Json list = Json::array();
  for (const PassedPoint& point : points) list.push_back({point.time, point.inputs});
  return list;
}

std::vector<PassedPoint> points_of(const Json& json) {
  std::vector<PassedPoint> points;
  for (const Json& entry : json)
    points.push_back({entry.at(0).get<double>(), entry.at(1).get<std::vector<double>>()});
  return points;
}

Json written(const std::vector<HeldInput>& held) {
  Json list = Json::array();
  for (const HeldInput& each : held) list.push_back({each.input, each.from, each.value, each.slope});
  return list;
}

std::vector<HeldInput> held_of(const Json& json) {
  std::vector<HeldInput> held;
  for (const Json& entry : json)
    held.push_back({entry.at(0).get<int>(), entry.at(1).get<double>(), entry.at(2).get<double>(),
                    entry.at(3).get<double>()});
  return held;
}

Json written(const std::vector<char>& bits) {
  Json list = Json::array();
  for (const char bit : bits) list.push_back(static_cast<int>(bit));
  return list;
}

std::vector<char> bits_of(const Json& json) {
  std::vector<char> bits;
  for (const Json& bit : json) bits.push_back(bit.get<int>() != 0 ? 1 : 0);
  return bits;
}

[[noreturn]] void refuse_state() {
  throw Refused("expected a state that an FMU of this model has serialised, undamaged");
}

SavedState state_of(const FmuModel& fmu, const Json& json) {
  SavedState state;
  const int phase = json.at("phase").get<int>();
  if (phase < 0 || phase > static_cast<int>(Phase::continuous)) refuse_state();
  state.phase = static_cast<Phase>(phase);
  state.experiment = {.start = json.at("start").get<double>(),
                      .stop = optional_number(json.at("stop")),
                      .tolerance = optional_number(json.at("tolerance"))};
  state.horizon = json.at("horizon").get<double>();
  state.time = json.at("time").get<double>();
  for (const Json& setting : json.at("settings"))
    state.settings[setting.at(0).get<std::size_t>()] = setting.at(1).get<double>();
  state.inputs = inputs_of(json.at("inputs"));
  state.start_inputs = inputs_of(json.at("start inputs"));
  state.nominals = json.at("nominals").get<std::vector<double>>();
  state.passed = points_of(json.at("passed"));
  state.at_event = json.at("at event").get<std::vector<double>>();
  state.held = held_of(json.at("held"));
  state.ticks = json.at("ticks").get<bool>();
  state.dae = json.at("dae").get<bool>();
  if (const Json& shown = json.at("shown"); !shown.is_null())
    state.shown = Point{.time = shown.at("time").get<double>(),
                        .v = shown.at("v").get<std::vector<double>>(),
                        .z = bits_of(shown.at("z"))};
  if (const Json& run = json.at("run"); !run.is_null()) {
    const auto& bytes = run.get_binary();
    state.run = read_saved_run(fmu.model, std::string(bytes.begin(), bytes.end()));
  }
  return state;
}

/// A text may be whole and of another model.
void check_sizes(const FmuModel& fmu, const SavedState& state) {
  const Signature& signature = fmu.model.signature;
  bool fits = state.inputs.size() == at(signature.m()) && state.start_inputs.size() == at(signature.m());
  for (const auto& [place, value] : state.settings)
    fits = fits && place < fmu.variables.size() && fmu.variables[place].is_settable();
  if (state.shown)
    fits =
        fits && state.shown->v.size() == at(signature.size()) && state.shown->z.size() == at(signature.q());
  for (const PassedPoint& point : state.passed) fits = fits && point.inputs.size() == at(signature.m());
  fits = fits && (state.at_event.empty() || state.at_event.size() == at(signature.m()));
  for (const HeldInput& each : state.held) fits = fits && each.input >= 0 && each.input < signature.m();
  fits = fits && (state.nominals.empty() || state.nominals.size() == at(signature.n()));
  if (!fits) refuse_state();
}

}  // namespace

std::string write_saved_state(const FmuModel& fmu, const SavedState& state) {
  Json settings = Json::array();
  for (const auto& [place, value] : state.settings) settings.push_back({place, value});
  Json document = {{"mti-fmu-state", format_version},
                   {"variables", fmu.variables.size()},
                   {"phase", static_cast<int>(state.phase)},
                   {"start", state.experiment.start},
                   {"stop", written(state.experiment.stop)},
                   {"tolerance", written(state.experiment.tolerance)},
                   {"horizon", state.horizon},
                   {"time", state.time},
                   {"settings", std::move(settings)},
                   {"inputs", written(state.inputs)},
                   {"start inputs", written(state.start_inputs)},
                   {"nominals", state.nominals},
                   {"passed", written(state.passed)},
                   {"at event", state.at_event},
                   {"held", written(state.held)},
                   {"ticks", state.ticks},
                   {"dae", state.dae},
                   {"shown", nullptr},
                   {"run", nullptr}};
  if (state.shown)
    document["shown"] = {{"time", state.shown->time}, {"v", state.shown->v}, {"z", written(state.shown->z)}};
  if (state.run) {
    const std::string run = write_saved_run(fmu.model, *state.run);
    document["run"] = Json::binary({run.begin(), run.end()});
  }
  const std::vector<std::uint8_t> bytes = Json::to_cbor(document);
  const std::string text(bytes.begin(), bytes.end());
  return text + check_sum(text);
}

SavedState read_saved_state(const FmuModel& fmu, std::string_view text) {
  const std::size_t length = text.size() < check_bytes ? 0 : text.size() - check_bytes;
  const std::string_view body = text.substr(0, length);
  if (check_sum(body) != text.substr(length)) refuse_state();
  try {
    const Json document = Json::from_cbor(body.begin(), body.end());
    if (document.at("mti-fmu-state").get<int>() != format_version ||
        document.at("variables").get<std::size_t>() != fmu.variables.size())
      refuse_state();
    SavedState state = state_of(fmu, document);
    check_sizes(fmu, state);
    return state;
  } catch (const Json::exception&) {
    refuse_state();
  }
}

}  // namespace mti::fmi
