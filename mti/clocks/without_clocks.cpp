#include "mti/clocks/without_clocks.hpp"

#include <algorithm>
#include <cstdlib>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "mti/clocks/clock_binaries.hpp"
#include "mti/clocks/next_values.hpp"
#include "mti/common/number.hpp"
#include "mti/source/declarations.hpp"
#include "mti/source/written_out.hpp"

namespace mti {
namespace {

std::string place(const char* list, std::size_t index) { return list + ("/" + std::to_string(index)); }

/// Which clock a state belongs to; nothing without one, or after a fault.
class Clocks {
 public:
  Clocks(const Source& source, std::vector<Fault>& faults) : source_(source), faults_(faults) {
    for (const ClockSource& clock : source.clocks) names_.push_back(clock.name);
  }

  [[nodiscard]] std::optional<std::size_t> of(std::size_t state, bool has_next) {
    const StateSource& declared = source_.states[state];
    if (declared.sample.empty()) {
      if (!has_next) return std::nullopt;
      if (names_.size() == 1) return 0;
      faults_.push_back({"which-clock", place("/states", state),
                         "an equation holds next(" + declared.name + "), and there are " +
                             std::to_string(names_.size()) +
                             " clocks: expected \"sample\" with the name of one"});
      return std::nullopt;
    }
    const auto found = std::ranges::find(names_, declared.sample);
    const std::string pointer = place("/states", state) + "/sample";
    if (found == names_.end()) {
      faults_.push_back({"unknown-clock", pointer,
                         "there is no clock " + declared.sample + did_you_mean(declared.sample, names_)});
      return std::nullopt;
    }
    if (!has_next) {
      faults_.push_back(
          {"missing-next", pointer,
           "no equation holds next(" + declared.name + "), its value after a tick of " + declared.sample});
      return std::nullopt;
    }
    return static_cast<std::size_t>(found - names_.begin());
  }

 private:
  const Source& source_;
  std::vector<Fault>& faults_;
  std::vector<std::string> names_;
};

void require_continuous_text(const Source& source, std::vector<Fault>& faults) {
  if (source.sample_time)
    faults.push_back({"clock-in-discrete-model", "/sample",
                      "a model with a sample_time is sampled as a whole: expected no clocks beside it"});
  if (source.matrices || source.explicit_form || source.state_space)
    faults.push_back({"clock-beside-matrices", "/sample",
                      "next(...) stands in equations: expected no clocks beside matrices"});
}

Number twice(const Number& number) {
  if (const auto* text = std::get_if<std::string>(&number)) return "2*(" + *text + ")";
  return 2.0 * std::get<double>(number);
}

/// A square wave that changes at each tick, and the binary that follows it.
void write_clock(const ClockSource& clock, Source& out) {
  out.inputs.push_back({.name = clock.name,
                        .form = PulseSource{.period = twice(clock.period), .start = clock.offset},
                        .binary = true});
  out.binaries.push_back({.name = tick_of(clock.name)});
  out.equations.emplace_back(ticks_of(clock.name), tick_of(clock.name) + " = " + clock.name);
}

void write_state(const StateSource& state, Source& out) {
  out.algebraic.push_back({.name = next_value_of(state.name),
                           .start = state.start,
                           .unit = state.unit,
                           .nominal = state.nominal,
                           .auxiliary = true});
  out.equations.emplace_back(state.name + ".held", "der(" + state.name + ") = 0");
}

void write_laws(const ClockSource& clock, const std::vector<std::string>& states, Source& out) {
  if (states.empty()) return;
  for (const char* edge : {"rise(", "fall("}) {
    TransitionSource& law = out.transitions.emplace_back();
    law.when = edge + tick_of(clock.name) + ")";
    for (const std::string& state : states)
      law.equations.push_back(state + " = pre(" + next_value_of(state) + ")");
  }
}

/// "/inputs/7/square/period" → "/sample/1/period" for list = "/inputs", first = 6.
bool moved(std::string& pointer, std::string_view list, std::size_t first, std::size_t count,
           const auto& target) {
  const auto element = element_of(pointer, list, first, count);
  if (!element) return false;
  const std::size_t last = pointer.find_last_of('/');
  const std::string member = last >= element->end ? pointer.substr(last) : "";
  pointer = target(element->index) + (member == "/start" && list == "/inputs" ? "/offset" : member);
  return true;
}

/// "found 0.2" of the wave as "found 0.1" of the clock.
void halve_found(std::string& message) {
  constexpr std::string_view found = "found ";
  const std::size_t place = message.rfind(found);
  if (place == std::string::npos) return;
  const double period = std::strtod(message.c_str() + place + found.size(), nullptr);
  message = message.substr(0, place + found.size()) + text::format_number(0.5 * period);
}

}  // namespace

std::string pointer_of_clock(const Source& source, std::size_t index) {
  return source.clocks[index].is_alone ? "/sample" : place("/sample", index);
}

WithoutClocks without_clocks(const Source& source) {
  std::vector<Fault> faults;
  require_continuous_text(source, faults);
  WithoutClocks result{source, source.inputs.size(), source.algebraic.size()};
  for (std::size_t j = 0; j < source.clocks.size(); ++j) result.clocks.push_back(pointer_of_clock(source, j));
  Source& out = result.source;
  out.clocks.clear();
  for (StateSource& state : out.states) state.sample.clear();

  const NextValues next = replace_next_values(out, faults);
  std::unordered_set<std::string> names = declared_names(source);
  const auto take = [&](const std::string& name, const std::string& pointer) {
    if (!names.insert(name).second)
      faults.push_back(
          {"duplicate-name", pointer, "the name " + name + " is needed here, and declared already"});
  };

  Clocks clocks(source, faults);
  std::vector<std::vector<std::string>> states_of(source.clocks.size());
  for (std::size_t j = 0; j < source.clocks.size(); ++j) {
    take(source.clocks[j].name, pointer_of_clock(source, j) + "/name");
    take(tick_of(source.clocks[j].name), pointer_of_clock(source, j) + "/name");
    write_clock(source.clocks[j], out);
  }
  for (std::size_t i = 0; i < source.states.size(); ++i) {
    const std::optional<std::size_t> clock = clocks.of(i, next.states.contains(i));
    if (!clock) continue;
    take(next_value_of(source.states[i].name), place("/states", i) + "/name");
    write_state(source.states[i], out);
    states_of[*clock].push_back(source.states[i].name);
    result.states.push_back(i);
    if (!source.states[i].fixed)
      faults.push_back({"free-sampled-state", place("/states", i) + "/fixed",
                        source.states[i].name + " has its start value up to the first tick of its clock: "
                                                "expected a start that is fixed"});
    if (const auto found = next.derivatives.find(i); found != next.derivatives.end())
      faults.push_back({"der-of-sampled-state", found->second,
                        source.states[i].name +
                            " keeps its value between the ticks of its clock: expected no der(" +
                            source.states[i].name + ") beside next(" + source.states[i].name + ")"});
  }
  for (std::size_t j = 0; j < source.clocks.size(); ++j) write_laws(source.clocks[j], states_of[j], out);
  if (!faults.empty()) throw InvalidModel(std::move(faults));
  return result;
}

std::vector<Fault> WithoutClocks::in_terms_of_clocks(std::vector<Fault> faults) const {
  for (Fault& fault : faults) {
    if (!fault.file.empty()) continue;
    const bool of_clock =
        moved(fault.pointer, "/inputs", first_input, clocks.size(), [&](std::size_t j) { return clocks[j]; });
    if (of_clock && fault.id == "bad-period") halve_found(fault.message);
    if (!of_clock)
      moved(fault.pointer, "/algebraic", first_signal, states.size(),
            [&](std::size_t i) { return place("/states", states[i]); });
  }
  return faults;
}

}  // namespace mti
