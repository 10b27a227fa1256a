#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <map>
#include <memory>
#include <new>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include "fmi/cosimulation/co_simulation.hpp"
#include "fmi/cosimulation/log.hpp"
#include "fmi/exchange/model_exchange.hpp"
#include "mti/common/fault.hpp"

namespace mti::fmi {

/// What a pointer of an importer leads to: one instance of either interface, its log, and the states that were taken of it.
///
/// Every function of an interface does its work in call(): nothing that is thrown leaves it, and a call that is refused
/// changes nothing.
class Component {
 public:
  enum class Interface : bool { co_simulation, model_exchange };

  /// Reads the model and checks the token; throws what these throw. `use`: of Co-Simulation.
  Component(std::string_view resources, std::string_view token, Log::Sink sink, bool logs_events,
            Interface interface, Use use = {});

  [[nodiscard]] Log& log() noexcept { return log_; }
  [[nodiscard]] CoSimulation& run() noexcept { return *run_; }
  /// Throw Refused if the instance is for the other one.
  [[nodiscard]] ModelExchange& exchange();
  [[nodiscard]] CoSimulation& co_simulation();

  Status last_step = Status::ok;  ///< FMI 2.0 says of a step afterwards how it was

  /// `work` in one of these phases; what it returns, or how what it throws is told of.
  template <class Work>
  Status call(std::string_view function, std::initializer_list<Phase> phases, Work work) noexcept {
    try {
      if (std::ranges::find(phases, run_->phase()) == phases.end()) refuse_phase();
      if constexpr (std::is_same_v<decltype(work()), Status>) {
        return work();
      } else {
        work();
        return Status::ok;
      }
    } catch (...) {
      return told(function);
    }
  }

  const SavedState* keep(SavedState state);
  /// Throws Refused if it is no state of this instance.
  [[nodiscard]] const SavedState& kept(const void* state) const;
  void drop(const void* state);
  /// As text, the last one once: importers ask for the size first.
  [[nodiscard]] const std::string& text_of_kept(const void* state);

 private:
  [[noreturn]] void refuse_phase() const;
  /// Of the exception that is being handled.
  Status told(std::string_view function) noexcept;

  Log log_;
  std::unique_ptr<CoSimulation> run_;
  ModelExchange* exchange_ = nullptr;  ///< run_, if it is one
  std::map<const void*, std::unique_ptr<const SavedState>> states_;
  const void* written_ = nullptr;
  std::string text_;
};

/// All phases in which an instance has values.
inline constexpr std::initializer_list<Phase> phases_with_values = {
    Phase::initialization, Phase::event,      Phase::step,        Phase::continuous,
    Phase::discarded,      Phase::terminated, Phase::intermediate};
/// Those in which a motion is under way, or about to begin.
inline constexpr std::initializer_list<Phase> phases_with_derivatives = {
    Phase::initialization, Phase::event, Phase::step, Phase::continuous, Phase::intermediate};
/// Not the one within a step of which an importer is told: there it may look at values, and do nothing else.
inline constexpr std::initializer_list<Phase> all_phases = {
    Phase::instantiated, Phase::initialization, Phase::event,  Phase::step,
    Phase::discarded,    Phase::terminated,     Phase::failed, Phase::continuous,
};

/// What is wrong with `pointer`, of which `n` values are expected; throws Refused.
inline void require_array(const void* pointer, std::size_t n, const char* name) {
  if (pointer == nullptr && n > 0) throw Refused(std::string("no ") + name + " are given: a null pointer");
}

/// Throws Refused for orders of derivatives but the first.
inline void require_first_orders(std::span<const std::int32_t> orders, const char* of) {
  for (const std::int32_t order : orders)
    if (order != 1)
      throw Refused(std::string(of) + " have first derivatives only; found order " + std::to_string(order));
}

}  // namespace mti::fmi
