#include "fmi/interface/component.hpp"

#include <utility>

#include "solvers/mode_sets/mode_set.hpp"

namespace mti::fmi {
namespace {

/// The library is unloaded, and with it the only ones who know what sets of modes share.
[[gnu::destructor]] void unload() { release_mode_sets(); }

std::string_view name_of(Phase phase) {
  switch (phase) {
    case Phase::instantiated:
      return "before the initialization";
    case Phase::initialization:
      return "in Initialization Mode";
    case Phase::event:
      return "in Event Mode";
    case Phase::step:
      return "in Step Mode";
    case Phase::discarded:
      return "after a run that ended early";
    case Phase::terminated:
      return "after the end";
    case Phase::continuous:
      return "in Continuous-Time Mode";
    case Phase::configuration:
      return "in Configuration Mode";
    case Phase::intermediate:
      return "within a step";
    case Phase::failed:
      break;
  }
  return "after an error";
}

}  // namespace

Component::Component(std::string_view resources, std::string_view token, Log::Sink sink, bool logs_events,
                     Interface interface, Use use)
    : log_(std::move(sink), logs_events) {
  auto fmu = read_fmu_model(path_of_resources(resources), token);
  if (interface == Interface::model_exchange) {
    auto exchange = std::make_unique<ModelExchange>(std::move(fmu), log_);
    exchange_ = exchange.get();
    run_ = std::move(exchange);
  } else {
    run_ = std::make_unique<CoSimulation>(std::move(fmu), log_, std::move(use));
  }
}

ModelExchange& Component::exchange() {
  if (exchange_ == nullptr) throw Refused("this instance is for Co-Simulation");
  return *exchange_;
}

CoSimulation& Component::co_simulation() {
  if (exchange_ != nullptr) throw Refused("this instance is for Model Exchange");
  return *run_;
}

void Component::refuse_phase() const { throw Refused("not allowed " + std::string(name_of(run_->phase()))); }

Status Component::told(std::string_view function) noexcept {
  try {
    try {
      throw;
    } catch (const Refused& refused) {
      log_.tell(refused.status(), std::string(function) + ": " + refused.what());
      return refused.status();
    } catch (const std::bad_alloc&) {
      log_.tell(Status::error, std::string(function) + ": the memory does not suffice");
    } catch (const std::exception& error) {
      log_.tell(Status::error, std::string(function) + ": " + error.what());
    }
  } catch (...) {  // nothing can be told
  }
  return Status::error;
}

const SavedState* Component::keep(SavedState state) {
  auto owned = std::make_unique<const SavedState>(std::move(state));
  const SavedState* const pointer = owned.get();
  states_.emplace(pointer, std::move(owned));
  return pointer;
}

const SavedState& Component::kept(const void* state) const {
  const auto found = states_.find(state);
  if (found == states_.end()) throw Refused("this is no state that was taken of this instance");
  return *found->second;
}

void Component::drop(const void* state) {
  if (state == written_) written_ = nullptr;
  states_.erase(state);
}

const std::string& Component::text_of_kept(const void* state) {
  const SavedState& saved = kept(state);
  if (written_ != state) text_ = write_saved_state(run_->fmu(), saved);
  written_ = state;
  return text_;
}

}  // namespace mti::fmi
