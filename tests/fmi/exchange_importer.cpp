#include "tests/fmi/exchange_importer.hpp"

#include <cvode/cvode.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <stdexcept>

#include "tests/fmi/importer_parts.hpp"

namespace mti::test {
/// CVODE and what it asks the instance for. Where that has no states it has one of its own, which stays at 0.
struct ExchangeImporter::Solver {
  Solver(const UnpackedFmu& unpacked, fmi3Instance instance, double start, double rtol)
      : fmu(unpacked), handle(instance), tolerance(rtol) {
    MTI_FMU_CALL(fmu, fmi3GetNumberOfContinuousStates)(handle, &n);
    MTI_FMU_CALL(fmu, fmi3GetNumberOfEventIndicators)(handle, &indicators);
    SUNContext_Create(nullptr, &context);
    const auto size = static_cast<sunindextype>(std::max<std::size_t>(n, 1));
    y = N_VNew_Serial(size, context);
    absolute = N_VNew_Serial(size, context);
    N_VConst(0.0, y);
    N_VConst(1.0, absolute);
    matrix = SUNDenseMatrix(size, size, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    memory = CVodeCreate(CV_BDF, context);
    read_states();
    CVodeInit(memory, rates, start, y);
    CVodeSetUserData(memory, this);
    set_tolerances();
    CVodeSetLinearSolver(memory, linear, matrix);
    CVodeRootInit(memory, static_cast<int>(indicators), roots);
    CVodeSetNoInactiveRootWarn(memory);
    CVodeSetMaxNumSteps(memory, 1'000'000);
    CVodeSetErrFile(memory, nullptr);
  }
  ~Solver() {
    CVodeFree(&memory);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(absolute);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void read_states() { MTI_FMU_CALL(fmu, fmi3GetContinuousStates)(handle, N_VGetArrayPointer(y), n); }
  void set_tolerances() {
    std::vector<double> nominals(n);
    MTI_FMU_CALL(fmu, fmi3GetNominalsOfContinuousStates)(handle, nominals.data(), n);
    for (std::size_t i = 0; i < n; ++i) N_VGetArrayPointer(absolute)[i] = 1e-4 * tolerance * nominals[i];
    CVodeSVtolerances(memory, tolerance, absolute);
  }
  fmi3Status place(double t, N_Vector states) {
    const fmi3Status of_time = MTI_FMU_CALL(fmu, fmi3SetTime)(handle, t);
    return std::max(of_time,
                    MTI_FMU_CALL(fmu, fmi3SetContinuousStates)(handle, N_VGetArrayPointer(states), n));
  }
  static int answer(fmi3Status status) { return status == fmi3OK ? 0 : status == fmi3Discard ? 1 : -1; }
  static int rates(double t, N_Vector states, N_Vector result, void* self) {
    auto* const solver = static_cast<Solver*>(self);
    const fmi3Status placed = solver->place(t, states);
    N_VConst(0.0, result);
    return answer(std::max(placed, MTI_FMU_CALL(solver->fmu, fmi3GetContinuousStateDerivatives)(
                                       solver->handle, N_VGetArrayPointer(result), solver->n)));
  }
  static int roots(double t, N_Vector states, double* result, void* self) {
    auto* const solver = static_cast<Solver*>(self);
    const fmi3Status placed = solver->place(t, states);
    return answer(std::max(placed, MTI_FMU_CALL(solver->fmu, fmi3GetEventIndicators)(solver->handle, result,
                                                                                     solver->indicators)));
  }

  const UnpackedFmu& fmu;
  fmi3Instance handle;
  double tolerance;
  std::size_t n = 0, indicators = 0;
  SUNContext context = nullptr;
  N_Vector y = nullptr, absolute = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  void* memory = nullptr;
};

ExchangeImporter::ExchangeImporter(const UnpackedFmu& fmu, ResetPolicy policy, double rtol)
    : fmu_(fmu), policy_(policy), rtol_(rtol) {
  handle_ = MTI_FMU_CALL(fmu, fmi3InstantiateModelExchange)(
      "one", fmu.token().c_str(), fmu.resources().c_str(), false, false, &log_, note_message);
  if (handle_ == nullptr) throw std::runtime_error(log_.empty() ? "no instance" : log_.back());
}

ExchangeImporter::~ExchangeImporter() {
  delete solver_;
  MTI_FMU_CALL(fmu_, fmi3FreeInstance)(handle_);
}

void ExchangeImporter::require(fmi3Status status) const {
  if (status != fmi3OK) throw std::runtime_error(log_.empty() ? "failed" : log_.back());
}

void ExchangeImporter::start(double from, double to) {
  require(MTI_FMU_CALL(fmu_, fmi3EnterInitializationMode)(handle_, true, rtol_, from, true, to));
  require(MTI_FMU_CALL(fmu_, fmi3ExitInitializationMode)(handle_));
  time_ = from;
  update();
  if (!ended_) solver_ = new Solver(fmu_, handle_, from, rtol_);
}

/// From Event Mode into Continuous-Time Mode.
void ExchangeImporter::update() {
  const DiscreteUpdate update = update_discrete_states(fmu_, handle_);
  require(update.status);
  ended_ = update.ended;
  next_event_ = update.next_event;
  if (ended_) return;
  require(MTI_FMU_CALL(fmu_, fmi3EnterContinuousTimeMode)(handle_));
  const bool resets = policy_ == ResetPolicy::always ||
                      (policy_ == ResetPolicy::if_told && (update.states_changed || update.nominals_changed));
  if (solver_ != nullptr && resets) restart();
}

void ExchangeImporter::restart() {
  ++resets_;
  solver_->read_states();
  solver_->set_tolerances();
  CVodeReInit(solver_->memory, time_, solver_->y);
}

void ExchangeImporter::event(const std::function<void()>& change) {
  ++events_;
  require(MTI_FMU_CALL(fmu_, fmi3EnterEventMode)(handle_));
  if (change) change();
  update();
}

bool ExchangeImporter::advance(double time) {
  constexpr int most_events = 5000;
  while (!ended_ && time_ < time && events_ < most_events) {
    const double goal = std::min(time, next_event_);
    if (goal > time_) {
      CVodeSetStopTime(solver_->memory, goal);
      const int flag = CVode(solver_->memory, goal, solver_->y, &time_, CV_ONE_STEP);
      if (flag < 0) return false;
      require(solver_->place(time_, solver_->y));
      bool is_event = false, terminate = false;
      require(MTI_FMU_CALL(fmu_, fmi3CompletedIntegratorStep)(handle_, true, &is_event, &terminate));
      if (is_event || flag == CV_ROOT_RETURN || time_ >= next_event_) event();
    } else {
      event();
    }
  }
  return !ended_ && events_ < most_events;
}

std::vector<double> ExchangeImporter::reals(const std::vector<unsigned>& references) {
  std::vector<double> values(references.size());
  require(MTI_FMU_CALL(fmu_, fmi3GetFloat64)(handle_, references.data(), references.size(), values.data(),
                                             values.size()));
  return values;
}
bool ExchangeImporter::boolean(const std::string& name) {
  const unsigned reference = fmu_.reference(name);
  bool value = false;
  require(MTI_FMU_CALL(fmu_, fmi3GetBoolean)(handle_, &reference, 1, &value, 1));
  return value;
}
fmi3Status ExchangeImporter::set(const std::string& name, double value) {
  const unsigned reference = fmu_.reference(name);
  return MTI_FMU_CALL(fmu_, fmi3SetFloat64)(handle_, &reference, 1, &value, 1);
}
std::vector<double> ExchangeImporter::indicators() {
  std::size_t n = 0;
  require(MTI_FMU_CALL(fmu_, fmi3GetNumberOfEventIndicators)(handle_, &n));
  std::vector<double> values(n);
  require(MTI_FMU_CALL(fmu_, fmi3GetEventIndicators)(handle_, values.data(), n));
  return values;
}

}  // namespace mti::test
