#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <new>
#include <utility>

#include "mti/common/at.hpp"
#include "solvers/budget/check_budget.hpp"
#include "solvers/integration/ida_handles.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/rounding_floor.hpp"
#include "solvers/integration/tolerances.hpp"

namespace mti {

using namespace ida;  // NOLINT(google-build-using-namespace): this is the source they are for

namespace {

/// Steps below the resolution of t may begin a fast transient; this many in a row mean that the solution ends
/// there.
constexpr int most_idle_steps = 100;
/// So many steps in a row of which each has failed its error test at first. At low order the states' errors grow
/// at a rate that jumps with the length of the step, and algebraic unknowns that magnify them jump with it: a
/// doubled step fails, although half of it is far within the tolerance. IDA raises its order, which would mend
/// that, only after several steps of one length, and stays at first order for ever. Begun anew it raises order
/// and step together, while algebraic unknowns have `relaxed` times their tolerance and states their own: errors
/// of states magnified up to that much do not hinder it.
constexpr int most_failing_steps = 10, steps_to_raise_order = 20;
/// So often a first step is looked for among ever shorter ones.
constexpr int most_shorter_starts = 4;
constexpr double relaxed = 1000.0;

}  // namespace

struct Integrator::Handles {
  Handles(double rtol_, LinearSolver choice_) : rtol(rtol_), choice(choice_) {
    SUNContext created = nullptr;
    SUNContext_Create(nullptr, &created);
    context.reset(require(created));
  }

  /// Makes everything anew for systems of another size.
  void resize(int new_size);
  void create();
  void attach_linear_solver();
  [[nodiscard]] bool sparse() const;

  bool raise_floor();
  bool mend_start();
  bool begin_shorter();

  static int weights(N_Vector w, N_Vector weight, void* self) noexcept;
  static int residual(double t, N_Vector w, N_Vector wp, N_Vector F, void* self) noexcept;
  static int jacobian(double t, double alpha, N_Vector w, N_Vector wp, N_Vector F, SUNMatrix J, void* self,
                      N_Vector, N_Vector, N_Vector) noexcept;

  int size = 0;
  double rtol;
  LinearSolver choice;
  const DaeSystem* system = nullptr;
  std::vector<double> jacobian_values;
  Tolerances tolerances;
  std::vector<double> rounding;  ///< of F, by row: ε |J| |w|
  double alpha = 0.0;            ///< in the J whose factors the solver holds
  bool has_rounding = false;     ///< of the J whose factors the solver holds
  std::vector<double> floor;     ///< what rounding makes of w, by unknown, with a margin
  std::exception_ptr failure;
  std::vector<double> w_begin, wp_begin;  ///< where IDA was begun last
  /// IDA counts time from the start of the segment: steps add up without the rounding of a time far from zero.
  double origin = 0.0;
  double begun = 0.0;     ///< IDA's time of that
  double reached = 0.0;   ///< IDA's time of w and wp
  double time = 0.0;      ///< the time of them
  int idle_steps = 0;     ///< the last so many steps did not advance the time
  int failing_steps = 0;  ///< the last so many steps failed an error test
  int relaxed_steps = 0;  ///< so many are left whose algebraic unknowns have `relaxed` times their tolerance
  long failures = 0;      ///< of error tests, since IDA was begun
  IntegratorStatistics before;  ///< of the segments before the present one
  std::unique_ptr<std::remove_pointer_t<SUNContext>, FreeContext> context;
  IdaVector w, wp, work, right_side;
  IdaMatrix matrix;
  Solver solver;
  Newton newton;
  NewtonConvergence convergence;
  SparsePattern pattern;  ///< that matrix and solver were made for
  std::unique_ptr<void, FreeIda> ida;
};

int Integrator::Handles::residual(double t, N_Vector w, N_Vector wp, N_Vector F, void* self) noexcept {
  auto* const handles = static_cast<Handles*>(self);
  try {
    check_budget();
    const std::span<double> result = view(F);
    if (!handles->system->residual(handles->origin + t, view(w), view(wp), result)) return 1;
    return std::ranges::all_of(result, [](double value) { return std::isfinite(value); }) ? 0 : 1;
  } catch (...) {
    handles->failure = std::current_exception();
    return -1;
  }
}

int Integrator::Handles::jacobian(double t, double alpha, N_Vector w, N_Vector wp, N_Vector /*F*/,
                                  SUNMatrix J, void* self, N_Vector, N_Vector, N_Vector) noexcept {
  auto* const handles = static_cast<Handles*>(self);
  handles->alpha = alpha;
  try {
    const SparsePattern& pattern = handles->system->pattern;
    const auto evaluate = [&](std::span<double> values) {
      if (!handles->system->jacobian(handles->origin + t, alpha, view(w), view(wp), values)) return false;
      handles->rounding = rounding_of_rows(*handles->system, view(w), values);
      return handles->has_rounding = true;
    };
    if (SUNMatGetID(J) == SUNMATRIX_SPARSE) {
      double* const values = SUNSparseMatrix_Data(J);
      if (!evaluate({values, pattern.nonzeros()})) return 1;
      std::copy(pattern.column_start.begin(), pattern.column_start.end(), SUNSparseMatrix_IndexPointers(J));
      std::copy(pattern.row.begin(), pattern.row.end(), SUNSparseMatrix_IndexValues(J));
      return 0;
    }
    if (!evaluate(handles->jacobian_values)) return 1;
    for (int column = 0; column < handles->size; ++column) {
      double* const dense = SUNDenseMatrix_Column(J, column);
      const auto end = at(pattern.column_start[at(column) + 1]);
      for (auto place = at(pattern.column_start[at(column)]); place < end; ++place)
        dense[pattern.row[place]] = handles->jacobian_values[place];
    }
    return 0;
  } catch (...) {
    handles->failure = std::current_exception();
    return -1;
  }
}

/// The floor from the factors of the last iteration matrix; false if that brings nothing new.
bool Integrator::Handles::raise_floor() {
  if (!has_rounding) return false;
  has_rounding = false;
  const std::span<double> b = view(right_side.get()), x = view(work.get());
  return floor_of(rounding, floor, [&](std::span<const double> right) {
    std::copy(right.begin(), right.end(), b.begin());
    const bool solved = SUNLinSolSolve(solver.get(), matrix.get(), work.get(), right_side.get(), 0.0) == 0;
    return solved ? std::span<const double>(x) : std::span<const double>();
  });
}

/// The first step of a segment has failed at every length. Then it began without knowing what rounding asks for, or off F = 0 by
/// more than its tolerance: coefficients that cancel were added up in another order where the start was solved for, or a
/// small difference lacks the digits that it relaxes to. Newton's method mends that, for (ẋ, y) at given x, and for what
/// relaxes within the step at given rates. False if it cannot.
bool Integrator::Handles::mend_start() {
  if (!raise_floor()) return false;
  std::copy(w_begin.begin(), w_begin.end(), view(w.get()).begin());
  std::copy(wp_begin.begin(), wp_begin.end(), view(wp.get()).begin());
  constexpr int iterations = 3;
  const std::span<double> values = view(w.get()), rates = view(wp.get()), change = view(work.get());
  for (int iteration = 0; iteration < iterations; ++iteration) {
    if (!system->residual(time, values, rates, view(right_side.get())) ||
        SUNLinSolSolve(solver.get(), matrix.get(), work.get(), right_side.get(), 0.0) != 0)
      return false;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (!std::isfinite(change[i])) return false;
      if (system->differential[i] != 0 && !tolerances.may_relax(i, change[i], alpha))
        rates[i] -= alpha * change[i];
      else
        values[i] -= change[i];
    }
  }
  w_begin.assign(values.begin(), values.end());
  wp_begin.assign(rates.begin(), rates.end());
  return true;
}

/// The segment once more, with a first step of the length at which the last trials have ended. False if that has none.
bool Integrator::Handles::begin_shorter() {
  double last = 0.0;
  check(IDAGetCurrentStep(ida.get(), &last), "IDAGetCurrentStep");
  if (!(last >= std::numeric_limits<double>::min())) return false;
  std::copy(w_begin.begin(), w_begin.end(), view(w.get()).begin());
  std::copy(wp_begin.begin(), wp_begin.end(), view(wp.get()).begin());
  check(IDAReInit(ida.get(), reached, w.get(), wp.get()), "IDAReInit");
  check(IDASetInitStep(ida.get(), last), "IDASetInitStep");
  return true;
}

int Integrator::Handles::weights(N_Vector w, N_Vector weight, void* self) noexcept {
  auto* const handles = static_cast<Handles*>(self);
  try {
    handles->raise_floor();
  } catch (...) {
    handles->failure = std::current_exception();
    return -1;
  }
  const std::span<double> values = view(w), result = view(weight);
  for (std::size_t i = 0; i < values.size(); ++i) {
    const bool state = i < handles->system->differential.size() && handles->system->differential[i] != 0;
    const double factor = handles->relaxed_steps > 0 && !state ? relaxed : 1.0;
    const double tolerance = handles->tolerances.tested(i, values[i], state, factor, handles->floor[i]);
    if (!(tolerance > 0.0)) return -1;
    result[i] = 1.0 / tolerance;
  }
  return 0;
}

bool Integrator::Handles::sparse() const {
  return choice == LinearSolver::automatic ? suits_sparse(size, system->pattern.nonzeros())
                                           : choice == LinearSolver::klu;
}

void Integrator::Handles::resize(int new_size) {
  ida.reset();
  newton.reset();
  solver.reset();
  matrix.reset();
  pattern = {};
  size = new_size;
  for (IdaVector* vector : {&w, &wp, &work, &right_side}) {
    vector->reset();
    if (size == 0) continue;
    vector->reset(require(N_VNew_Serial(size, context.get())));
    (*vector)->ops->nvwrmsnorm = &norm;  // that of the copies that IDA makes, too
  }
}

void Integrator::Handles::create() {
  ida.reset(require(IDACreate(context.get())));
  constexpr auto silent = [](int, const char*, const char*, char*, void*) {};
  check(IDASetErrHandlerFn(ida.get(), silent, nullptr), "IDASetErrHandlerFn");
  check(IDASetUserData(ida.get(), this), "IDASetUserData");
  check(IDAInit(ida.get(), &Handles::residual, 0.0, w.get(), wp.get()), "IDAInit");
  check(IDAWFtolerances(ida.get(), &Handles::weights), "IDAWFtolerances");
  newton = newton_of(ida.get(), w.get(), context.get(), convergence);
}

void Integrator::Handles::attach_linear_solver() {
  pattern = system->pattern;
  solver.reset();
  if (sparse()) {
    matrix.reset(require(
        SUNSparseMatrix(size, size, static_cast<sunindextype>(pattern.nonzeros()), CSC_MAT, context.get())));
    solver.reset(require(SUNLinSol_KLU(w.get(), matrix.get(), context.get())));
  } else {
    jacobian_values.assign(pattern.nonzeros(), 0.0);
    if (!matrix || SUNMatGetID(matrix.get()) != SUNMATRIX_DENSE)
      matrix.reset(require(SUNDenseMatrix(size, size, context.get())));
    solver.reset(with_pivots(require(SUNLinSol_Dense(w.get(), matrix.get(), context.get()))));
  }
  check(IDASetLinearSolver(ida.get(), solver.get(), matrix.get()), "IDASetLinearSolver");
  check(IDASetJacFn(ida.get(), &Handles::jacobian), "IDASetJacFn");
}

Integrator::Integrator(double rtol, LinearSolver linear_solver)
    : handles_(std::make_unique<Handles>(rtol, linear_solver)) {}
Integrator::Integrator(Integrator&&) noexcept = default;
Integrator& Integrator::operator=(Integrator&&) noexcept = default;
Integrator::~Integrator() = default;

void Integrator::start(const DaeSystem& system, double t, std::span<const double> w,
                       std::span<const double> wp, double first_step) {
  Handles& h = *handles_;
  h.before = statistics();
  h.system = &system;
  if (h.size != system.pattern.rows) h.resize(system.pattern.rows);
  if (h.size == 0) return;
  h.tolerances.start(system, h.rtol, w, wp);
  h.floor.assign(system.absolute.size(), 0.0);
  h.has_rounding = false;
  std::copy(w.begin(), w.end(), view(h.w.get()).begin());
  std::copy(wp.begin(), wp.end(), view(h.wp.get()).begin());
  if (h.ida) {
    check(IDAReInit(h.ida.get(), 0.0, h.w.get(), h.wp.get()), "IDAReInit");
  } else {
    h.create();
  }
  if (!h.solver || h.pattern != system.pattern) h.attach_linear_solver();
  h.origin = h.time = t;
  h.reached = h.begun = 0.0;
  h.idle_steps = h.failing_steps = 0;
  h.relaxed_steps = h.tolerances.steps_on_the_way();
  h.failures = 0;
  h.w_begin.assign(w.begin(), w.end());
  h.wp_begin.assign(wp.begin(), wp.end());
  check(IDASetInitStep(h.ida.get(), std::max(first_step, 0.0)), "IDASetInitStep");
}

/// The segment goes on from where it is, with the step it has.
void Integrator::begin_anew() {
  Handles& h = *handles_;
  const double first = last_step();
  h.before = statistics();
  h.failing_steps = 0;
  h.relaxed_steps = steps_to_raise_order;
  h.failures = 0;
  h.begun = h.reached;
  std::copy(view(h.w.get()).begin(), view(h.w.get()).end(), h.w_begin.begin());
  std::copy(view(h.wp.get()).begin(), view(h.wp.get()).end(), h.wp_begin.begin());
  check(IDAReInit(h.ida.get(), h.reached, h.w.get(), h.wp.get()), "IDAReInit");
  check(IDASetInitStep(h.ida.get(), first), "IDASetInitStep");
}

StepResult Integrator::step(double t_stop) {
  Handles& h = *handles_;
  if (h.size == 0) return {true, t_stop, {}};
  double reached = 0.0;
  if (h.failing_steps >= most_failing_steps) begin_anew();
  const double stop = t_stop - h.origin;
  const auto solve = [&] {
    check(IDASetStopTime(h.ida.get(), stop), "IDASetStopTime");
    return IDASolve(h.ida.get(), stop, &reached, h.w.get(), h.wp.get(), IDA_ONE_STEP);
  };
  int flag = solve();
  const auto cannot_begin = [&] {
    return !h.failure && (flag == IDA_CONV_FAIL || flag == IDA_ERR_FAIL) && h.reached == h.begun;
  };
  if (cannot_begin() && h.mend_start()) {
    h.before = statistics();
    check(IDAReInit(h.ida.get(), h.reached, h.w.get(), h.wp.get()), "IDAReInit");
    flag = solve();
  }
  // Ten trials shorten a first step to a millionth at most, and what is stiff may relax in less: a current i = G (u − a) of
  // a small resistance has a slope as long as a is not where it is to be.
  for (int again = 0; again < most_shorter_starts && cannot_begin(); ++again) {
    h.before = statistics();
    if (!h.begin_shorter()) break;
    flag = solve();
  }
  if (h.failure) std::rethrow_exception(std::exchange(h.failure, nullptr));
  const double time = reached < stop ? std::min(h.origin + reached, t_stop) : t_stop;
  h.idle_steps = time > h.time ? 0 : h.idle_steps + 1;
  long failures = 0;
  check(IDAGetNumErrTestFails(h.ida.get(), &failures), "IDAGetNumErrTestFails");
  h.relaxed_steps = std::max(h.relaxed_steps - 1, 0);
  h.failing_steps = failures > std::exchange(h.failures, failures) ? h.failing_steps + 1 : 0;
  h.reached = reached;
  h.time = time;
  h.tolerances.follow(view(h.w.get()));
  if (h.idle_steps > most_idle_steps) return {false, time, "its steps are too small to advance the time"};
  if (flag >= 0) return {true, time, {}};
  return {false, time, ida_failure(flag, "IDASolve")};
}

void Integrator::interpolate(double t, int k, std::span<double> result) const {
  const Handles& h = *handles_;
  if (h.size == 0) return;
  if (t == h.time && k <= 1) {
    // The solver has evaluated its polynomial there already.
    std::ranges::copy(view((k == 0 ? h.w : h.wp).get()), result.begin());
    return;
  }
  if (k > last_order()) {  // the interpolating polynomial has no such power of t
    std::fill(result.begin(), result.end(), 0.0);
    return;
  }
  // The ends of the step, to the resolution of t, are its ends.
  const double within = std::clamp(t - h.origin, h.reached - last_step(), h.reached);
  check(IDAGetDky(h.ida.get(), within, k, h.work.get()), "IDAGetDky");
  std::ranges::copy(view(h.work.get()), result.begin());
}

std::span<const double> Integrator::floor() const { return handles_->floor; }

double Integrator::tolerance_of_small(int unknown, double value) const {
  return handles_->tolerances.of_small(at(unknown), value, handles_->floor[at(unknown)]);
}

double Integrator::last_step() const {
  if (handles_->size == 0) return 0.0;
  double h = 0.0;
  check(IDAGetLastStep(handles_->ida.get(), &h), "IDAGetLastStep");
  return h;
}

int Integrator::last_order() const {
  if (handles_->size == 0) return 0;
  int order = 0;
  check(IDAGetLastOrder(handles_->ida.get(), &order), "IDAGetLastOrder");
  return order;
}

IntegratorStatistics Integrator::statistics() const {
  const Handles& h = *handles_;
  if (!h.ida) return h.before;
  IntegratorStatistics now = h.before;
  long steps = 0, residuals = 0, setups = 0, failures = 0, jacobians = 0;
  int last_order = 0, order = 0;
  double first = 0.0, last = 0.0, next = 0.0, t = 0.0;
  check(IDAGetIntegratorStats(h.ida.get(), &steps, &residuals, &setups, &failures, &last_order, &order,
                              &first, &last, &next, &t),
        "IDAGetIntegratorStats");
  check(IDAGetNumJacEvals(h.ida.get(), &jacobians), "IDAGetNumJacEvals");
  now.steps += steps;
  now.residual_evaluations += residuals;
  now.jacobian_evaluations += jacobians;
  now.error_test_failures += failures;
  return now;
}

}  // namespace mti
