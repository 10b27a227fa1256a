#include "io/study_plans/kept_reader.hpp"

#include <algorithm>
#include <array>
#include <set>
#include <utility>
#include <variant>

#include "io/results/result_columns.hpp"
#include "mti/common/name_pattern.hpp"
#include "mti/common/number.hpp"
#include "mti/source/declarations.hpp"

namespace mti::json {
namespace {

/// What a run has columns of.
std::vector<std::string> recorded_signals(const Model& model) {
  std::vector<std::string> names;
  for (const Signal& state : model.signature.states()) names.push_back(state.name);
  for (const Signal& signal : model.signature.algebraic())
    if (!signal.auxiliary) names.push_back(signal.name);
  for (const Signal& binary : model.signature.binaries()) names.push_back(binary.name);
  return names;
}

using QuantityKind = KeptQuantity::Kind;

class KeptReader {
 public:
  KeptReader(ObjectReader& keep, const Model& model)
      : keep_(keep), model_(model), signals_(recorded_signals(model)) {}

  std::vector<KeptQuantity> read() {
    static constexpr std::array<std::pair<std::string_view, QuantityKind>, 5> of_signals = {
        {{"final", QuantityKind::final_value},
         {"minimum", QuantityKind::minimum},
         {"maximum", QuantityKind::maximum},
         {"integral", QuantityKind::integral},
         {"average", QuantityKind::average}}};
    for (const auto& [key, kind] : of_signals) {
      const std::string word(key);
      for_signals(keep_, key, [&, kind = kind](const std::string& signal) {
        add({.kind = kind, .name = word + "(" + signal + ")", .signal = signal});
      });
    }
    if (const Value* at = keep_.find("at")) read_values_at(*at);
    read_counts();
    if (const Value* times = keep_.find("event_times")) read_times(*times);
    return std::move(result_);
  }

 private:
  void add(KeptQuantity quantity) {
    if (names_.insert(quantity.name).second) result_.push_back(std::move(quantity));
  }

  template <class Use>
  void for_signals(ObjectReader& owner, std::string_view key, const Use& use) {
    const std::vector<std::string> patterns = owner.strings(key);
    for (std::size_t i = 0; i < patterns.size(); ++i) {
      bool found = false;
      for (const std::string& signal : signals_) {
        if (!fits(signal, patterns[i])) continue;
        found = true;
        use(signal);
      }
      if (!found)
        owner.fault("unknown-signal", owner.pointer_to(key, i),
                    "there is no state, algebraic signal or binary " + patterns[i] +
                        did_you_mean(patterns[i], signals_));
    }
  }

  void read_values_at(const Value& value) {
    ObjectReader at(value, keep_.pointer_to("at"), keep_.faults());
    at.require("times");
    at.require("signals");
    const std::vector<double> times = at.plain_numbers("times");
    for_signals(at, "signals", [&](const std::string& signal) {
      for (const double time : times)
        add({.kind = QuantityKind::value_at,
             .name = signal + "(" + text::format_number(time) + ")",
             .signal = signal,
             .time = time});
    });
    at.finish();
  }

  /// "reach(c)", "rise(z)", "fall(z)" with what it is about found in the model.
  std::optional<KeptQuantity> event_named(const std::string& text, const std::string& pointer) {
    const auto found = find_event(model_, text);
    if (const auto* message = std::get_if<std::string>(&found)) {
      keep_.fault("unknown-event", pointer, *message);
      return std::nullopt;
    }
    const EventName name = *parse_event_name(text);
    return KeptQuantity{.signal = std::string(name.about), .event = name.word};
  }

  void read_counts() {
    const std::vector<std::string> events = keep_.strings("event_counts");
    for (std::size_t i = 0; i < events.size(); ++i) {
      auto quantity = event_named(events[i], keep_.pointer_to("event_counts", i));
      if (!quantity) continue;
      quantity->kind = QuantityKind::event_count;
      quantity->name = "count(" + events[i] + ")";
      add(std::move(*quantity));
    }
  }

  void read_times(const Value& value) {
    constexpr int most_times = 10'000;
    ObjectReader times(value, keep_.pointer_to("event_times"), keep_.faults());
    if (!times.is_object()) return;
    for (const Member& member : *value.object()) {
      const auto count = times.index(member.key);
      const auto quantity = event_named(member.key, times.pointer_to(member.key));
      if (!count || !quantity) continue;
      if (*count < 1 || *count > most_times)
        keep_.fault("bad-option", times.pointer_to(member.key),
                    "found " + std::to_string(*count) + ", expected 1 to " + std::to_string(most_times));
      for (int number = 1; number <= std::min(*count, most_times); ++number) {
        KeptQuantity one = *quantity;
        one.kind = QuantityKind::event_time;
        one.number = number;
        one.name = "time(" + member.key + "#" + std::to_string(number) + ")";
        add(std::move(one));
      }
    }
    times.finish();
  }

  ObjectReader& keep_;
  const Model& model_;
  std::vector<std::string> signals_;
  std::vector<KeptQuantity> result_;
  std::set<std::string> names_;
};

}  // namespace

void read_kept(const Value& value, const std::string& pointer, const Model& model, StudyPlan& plan,
               std::vector<Fault>& faults) {
  ObjectReader keep(value, pointer, faults);
  if (!keep.is_object()) return;
  plan.kept = KeptReader(keep, model).read();
  plan.trajectories = keep.strings("trajectories");
  for (std::size_t i = 0; i < plan.trajectories.size(); ++i) {
    try {
      static_cast<void>(wants_rates(model, {.signals = {plan.trajectories[i]}}));
    } catch (const InvalidOption& unknown) {
      const Fault& fault = unknown.faults().front();
      keep.fault(fault.id, keep.pointer_to("trajectories", i), fault.message);
    }
  }
  keep.finish();
}

}  // namespace mti::json
