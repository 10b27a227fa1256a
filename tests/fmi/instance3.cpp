#include "tests/fmi/instance3.hpp"

#include <stdexcept>
#include <utility>

#include "tests/fmi/importer_parts.hpp"

namespace mti::test {
namespace {

void require_ok(fmi3Status status, const Instance3& instance) {
  if (status != fmi3OK) throw std::runtime_error(instance.log().empty() ? "failed" : instance.log().back());
}

}  // namespace

void Instance3::write_down(fmi3InstanceEnvironment environment, fmi3Status status, fmi3String category,
                           fmi3String message) {
  note_message(&static_cast<Instance3*>(environment)->log_, status, category, message);
}

void Instance3::tell(fmi3InstanceEnvironment environment, double time, bool set_requested, bool get_allowed,
                     bool step_finished, bool can_return_early, bool* return_requested, double* return_time) {
  auto& self = *static_cast<Instance3*>(environment);
  if (set_requested || !get_allowed || !step_finished || can_return_early != self.mode_.early_return)
    self.log_.emplace_back("unexpected arguments of an intermediate update");
  const auto asked = self.mode_.update(self, time);
  if (!asked) return;
  *return_requested = true;
  *return_time = *asked;
}

Instance3::Instance3(const UnpackedFmu& fmu, Mode mode) : fmu_(fmu), mode_(std::move(mode)) {
  handle_ = MTI_FMU_CALL(fmu, fmi3InstantiateCoSimulation)(
      "one", fmu.token().c_str(), fmu.resources().c_str(), false, mode_.logs, mode_.events,
      mode_.early_return, nullptr, 0, this, write_down, mode_.update ? tell : nullptr);
  if (handle_ == nullptr) throw std::runtime_error(log_.empty() ? "no instance" : log_.back());
}

Instance3::~Instance3() { MTI_FMU_CALL(fmu_, fmi3FreeInstance)(handle_); }

fmi3Status Instance3::enter(double from, double rtol) {
  return MTI_FMU_CALL(fmu_, fmi3EnterInitializationMode)(handle_, rtol > 0.0, rtol, from, false, 0.0);
}
fmi3Status Instance3::exit() { return MTI_FMU_CALL(fmu_, fmi3ExitInitializationMode)(handle_); }
fmi3Status Instance3::start(double from, double rtol) {
  const fmi3Status entered = enter(from, rtol);
  return entered == fmi3OK ? exit() : entered;
}
fmi3Status Instance3::start(double from, double to, double rtol) {
  const fmi3Status entered =
      MTI_FMU_CALL(fmu_, fmi3EnterInitializationMode)(handle_, rtol > 0.0, rtol, from, true, to);
  return entered == fmi3OK ? exit() : entered;
}

Instance3::Step Instance3::step(double from, double size) {
  Step step;
  step.status = MTI_FMU_CALL(fmu_, fmi3DoStep)(handle_, from, size, true, &step.event, &step.terminate,
                                               &step.early, &step.time);
  return step;
}

Instance3::Update Instance3::update() {
  Update update;
  require_ok(MTI_FMU_CALL(fmu_, fmi3UpdateDiscreteStates)(handle_, &update.needs_update, &update.terminate,
                                                          &update.nominals_changed, &update.states_changed,
                                                          &update.next_defined, &update.next),
             *this);
  return update;
}

std::vector<double> Instance3::reals(const std::vector<unsigned>& references) {
  std::vector<double> values(references.size());
  require_ok(MTI_FMU_CALL(fmu_, fmi3GetFloat64)(handle_, references.data(), references.size(), values.data(),
                                                values.size()),
             *this);
  return values;
}
double Instance3::real(const std::string& name) { return reals({fmu_.reference(name)}).front(); }
bool Instance3::ticks(const std::string& clock) {
  const unsigned reference = fmu_.reference(clock);
  bool value = false;
  require_ok(MTI_FMU_CALL(fmu_, fmi3GetClock)(handle_, &reference, 1, &value), *this);
  return value;
}
bool Instance3::boolean(const std::string& name) {
  const unsigned reference = fmu_.reference(name);
  bool value = false;
  require_ok(MTI_FMU_CALL(fmu_, fmi3GetBoolean)(handle_, &reference, 1, &value, 1), *this);
  return value;
}
fmi3Status Instance3::set(const std::string& name, double value) {
  const unsigned reference = fmu_.reference(name);
  return MTI_FMU_CALL(fmu_, fmi3SetFloat64)(handle_, &reference, 1, &value, 1);
}
fmi3Status Instance3::set_boolean(const std::string& name, bool value) {
  const unsigned reference = fmu_.reference(name);
  return MTI_FMU_CALL(fmu_, fmi3SetBoolean)(handle_, &reference, 1, &value, 1);
}
fmi3FMUState Instance3::state() {
  fmi3FMUState state = nullptr;
  require_ok(MTI_FMU_CALL(fmu_, fmi3GetFMUState)(handle_, &state), *this);
  return state;
}
fmi3Status Instance3::take_up(fmi3FMUState state) {
  return MTI_FMU_CALL(fmu_, fmi3SetFMUState)(handle_, state);
}

}  // namespace mti::test
