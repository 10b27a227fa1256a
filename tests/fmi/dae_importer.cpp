#include "tests/fmi/dae_importer.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <iterator>
#include <limits>
#include <regex>
#include <stdexcept>

#include "tests/fmi/importer_parts.hpp"

namespace mti::test {
namespace {

std::vector<unsigned> joined(std::vector<unsigned> first, const std::vector<unsigned>& second) {
  first.insert(first.end(), second.begin(), second.end());
  return first;
}

}  // namespace

struct DaeImporter::Solver {
  explicit Solver(DaeImporter& importer)
      : self(importer), n(importer.states_.size()), size(n + importer.algebraic_.size()) {
    MTI_FMU_CALL(self.fmu_, fmi3GetNumberOfEventIndicators)(self.handle_, &indicators);
    SUNContext_Create(nullptr, &context);
    const auto length = static_cast<sunindextype>(size);
    y = N_VNew_Serial(length, context);
    dy = N_VNew_Serial(length, context);
    N_VConst(0.0, dy);
    matrix = SUNDenseMatrix(length, length, context);
    linear = SUNLinSol_Dense(y, matrix, context);
    memory = IDACreate(context);
    read();
    IDAInit(memory, residual, self.time_, y, dy);
    IDASetUserData(memory, this);
    IDASStolerances(memory, self.rtol_, 1e-3 * self.rtol_);
    IDASetLinearSolver(memory, linear, matrix);
    IDASetJacFn(memory, jacobian);
    IDARootInit(memory, static_cast<int>(indicators), roots);
    IDASetNoInactiveRootWarn(memory);
    IDASetMaxNumSteps(memory, 1'000'000);
    IDASetErrFile(memory, nullptr);
  }
  ~Solver() {
    IDAFree(&memory);
    SUNLinSolFree(linear);
    SUNMatDestroy(matrix);
    N_VDestroy(dy);
    N_VDestroy(y);
    SUNContext_Free(&context);
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;

  void read() {
    std::ranges::copy(self.get(joined(self.states_, self.algebraic_)), N_VGetArrayPointer(y));
    std::ranges::copy(self.get(self.derivatives_), N_VGetArrayPointer(dy));
  }
  void restart() {
    read();
    IDAReInit(memory, self.time_, y, dy);
  }
  fmi3Status place(double t, N_Vector values, N_Vector rates) {
    const double* const v = N_VGetArrayPointer(values);
    const double* const dv = N_VGetArrayPointer(rates);
    std::vector<double> given(dv, dv + n);
    given.insert(given.end(), v + n, v + size);
    return std::max({MTI_FMU_CALL(self.fmu_, fmi3SetTime)(self.handle_, t),
                     MTI_FMU_CALL(self.fmu_, fmi3SetContinuousStates)(self.handle_, v, n),
                     self.set(joined(self.derivatives_, self.algebraic_), given)});
  }
  static int residual(double t, N_Vector y, N_Vector dy, N_Vector result, void* data) {
    auto& solver = *static_cast<Solver*>(data);
    if (solver.place(t, y, dy) != fmi3OK) return -1;
    std::ranges::copy(solver.self.get(solver.self.residuals_), N_VGetArrayPointer(result));
    return 0;
  }
  static int jacobian(double t, double cj, N_Vector y, N_Vector dy, N_Vector /*r*/, SUNMatrix J, void* data,
                      N_Vector /*a*/, N_Vector /*b*/, N_Vector /*c*/) {
    auto& solver = *static_cast<Solver*>(data);
    if (solver.place(t, y, dy) != fmi3OK) return -1;
    const DaeImporter& self = solver.self;
    for (std::size_t k = 0; k < solver.size; ++k) {
      std::vector<unsigned> knowns = {k < solver.n ? self.states_[k] : self.algebraic_[k - solver.n]};
      std::vector<double> seed = {1.0};
      if (k < solver.n) {
        knowns.push_back(self.derivatives_[k]);
        seed.push_back(cj);
      }
      if (MTI_FMU_CALL(self.fmu_, fmi3GetDirectionalDerivative)(
              self.handle_, self.residuals_.data(), solver.size, knowns.data(), knowns.size(), seed.data(),
              seed.size(), SM_COLUMN_D(J, static_cast<sunindextype>(k)), solver.size) != fmi3OK)
        return -1;
    }
    return 0;
  }
  static int roots(double t, N_Vector y, N_Vector dy, double* values, void* data) {
    auto& solver = *static_cast<Solver*>(data);
    const fmi3Status placed = solver.place(t, y, dy);
    return static_cast<int>(std::max(placed, MTI_FMU_CALL(solver.self.fmu_, fmi3GetEventIndicators)(
                                                 solver.self.handle_, values, solver.indicators)));
  }

  DaeImporter& self;
  std::size_t n, size, indicators = 0;
  SUNContext context = nullptr;
  N_Vector y = nullptr, dy = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver linear = nullptr;
  void* memory = nullptr;
};

std::string DaeImporter::manifest_of(const UnpackedFmu& fmu) {
  std::ifstream file(fmu.resources().parent_path() / "extra/org.fmi-standard.fmi-ls-dae/fmi-ls-manifest.xml");
  return {std::istreambuf_iterator<char>(file), {}};
}

DaeImporter::DaeImporter(const UnpackedFmu& fmu, double rtol, bool dae_mode) : fmu_(fmu), rtol_(rtol) {
  handle_ = MTI_FMU_CALL(fmu, fmi3InstantiateModelExchange)(
      "one", fmu.token().c_str(), fmu.resources().c_str(), false, false, &log_, note_message);
  if (handle_ == nullptr) throw std::runtime_error(log_.empty() ? "no instance" : log_.back());
  const std::string manifest = manifest_of(fmu);
  const auto matches = [&](const char* pattern) {
    std::vector<unsigned> found;
    const std::regex expression(pattern);
    for (std::sregex_iterator match(manifest.begin(), manifest.end(), expression), end; match != end; ++match)
      found.push_back(static_cast<unsigned>(std::stoul((*match)[1])));
    return found;
  };
  algebraic_ = matches("<AlgebraicVariable valueReference=\"([0-9]+)\"");
  residuals_ = matches("<Formulation valueReference=\"([0-9]+)\"[^>]*/>\\s*</Residual>");
  for (const auto& [name, variable] : fmu.variables())
    if (const auto state = variable.attributes.find("derivative"); state != variable.attributes.end())
      derivatives_.push_back(fmu.reference(name));
  std::ranges::sort(derivatives_);
  for (std::size_t i = 0; i < derivatives_.size(); ++i) states_.push_back(static_cast<unsigned>(i + 1));
  if (!dae_mode) return;
  const unsigned enable = matches("<EnableDAE valueReference=\"([0-9]+)\"").at(0);
  const bool on = true;
  require(MTI_FMU_CALL(fmu_, fmi3EnterConfigurationMode)(handle_));
  require(MTI_FMU_CALL(fmu_, fmi3SetBoolean)(handle_, &enable, 1, &on, 1));
  require(MTI_FMU_CALL(fmu_, fmi3ExitConfigurationMode)(handle_));
}

DaeImporter::~DaeImporter() {
  delete solver_;
  MTI_FMU_CALL(fmu_, fmi3FreeInstance)(handle_);
}

void DaeImporter::require(fmi3Status status) const {
  if (status != fmi3OK) throw std::runtime_error(log_.empty() ? "failed" : log_.back());
}

fmi3Status DaeImporter::start(double from, double to) {
  const fmi3Status entered =
      MTI_FMU_CALL(fmu_, fmi3EnterInitializationMode)(handle_, true, rtol_, from, true, to);
  if (entered != fmi3OK) return entered;
  require(MTI_FMU_CALL(fmu_, fmi3ExitInitializationMode)(handle_));
  time_ = from;
  update();
  if (!ended_) solver_ = new Solver(*this);
  return fmi3OK;
}

void DaeImporter::update() {
  const DiscreteUpdate update = update_discrete_states(fmu_, handle_);
  require(update.status);
  ended_ = update.ended;
  next_event_ = update.next_event;
  if (!ended_) require(MTI_FMU_CALL(fmu_, fmi3EnterContinuousTimeMode)(handle_));
}

bool DaeImporter::advance(double time) {
  constexpr std::size_t most_events = 1000;
  while (!ended_ && time_ < time && event_times_.size() < most_events) {
    const double goal = std::min(time, next_event_);
    bool is_event = goal <= time_;
    if (!is_event) {
      IDASetStopTime(solver_->memory, goal);
      const int flag = IDASolve(solver_->memory, goal, &time_, solver_->y, solver_->dy, IDA_ONE_STEP);
      if (flag < 0) return false;
      require(solver_->place(time_, solver_->y, solver_->dy));
      bool terminate = false;
      require(MTI_FMU_CALL(fmu_, fmi3CompletedIntegratorStep)(handle_, true, &is_event, &terminate));
      is_event = is_event || flag == IDA_ROOT_RETURN || time_ >= next_event_;
    }
    if (!is_event) continue;
    event_times_.push_back(time_);
    require(MTI_FMU_CALL(fmu_, fmi3EnterEventMode)(handle_));
    update();
    if (!ended_) solver_->restart();
  }
  return !ended_ && event_times_.size() < most_events;
}

std::vector<double> DaeImporter::get(const std::vector<unsigned>& references) {
  std::vector<double> values(references.size());
  require(MTI_FMU_CALL(fmu_, fmi3GetFloat64)(handle_, references.data(), references.size(), values.data(),
                                             values.size()));
  return values;
}

fmi3Status DaeImporter::set(const std::vector<unsigned>& references, const std::vector<double>& values) {
  return MTI_FMU_CALL(fmu_, fmi3SetFloat64)(handle_, references.data(), references.size(), values.data(),
                                            values.size());
}

}  // namespace mti::test
