#include "bench/three_tank_ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>
#include <string>
#include <type_traits>

#include "mti/common/at.hpp"

namespace mti::bench {
namespace {

constexpr int tanks = 3, size = 4, roots = 6;
constexpr double nominal = 40.0;

void check(int flag, const char* call) {
  if (flag < 0) throw std::runtime_error(std::string(call) + " returned " + std::to_string(flag));
}

/// A C handle with the function that frees it.
template <class Handle, auto Free>
struct Release {
  void operator()(Handle handle) const { Free(handle); }
};
template <class Handle, auto Free>
using Owned = std::unique_ptr<std::remove_pointer_t<Handle>, Release<Handle, Free>>;

void free_context(SUNContext context) { SUNContext_Free(&context); }
void free_ida(void* memory) { IDAFree(&memory); }

SUNContext new_context() {
  SUNContext context = nullptr;
  check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
  return context;
}

/// What IDA's functions read: coefficients of the equations, and the valves.
struct System {
  explicit System(const ThreeTanks& given)
      : of(given),
        cm(given.c * given.m),
        gamma(3.0 * given.alpha),
        cf(given.c * given.f_v),
        from_ambient(given.alpha * given.ambient) {}

  ThreeTanks of;
  double cm, gamma, cf, from_ambient;
  std::array<int, 3> z{0, 0, 0};

  [[nodiscard]] double open_valves() const {
    return 1.0 + z[0] * z[1] + z[0] * z[2] + z[1] * z[2] - z[0] * z[1] * z[2];
  }
  /// Heat that leaves tank i through its walls when its neighbours have the temperatures x.
  [[nodiscard]] double walls(const double* x, int i) const {
    return gamma * x[i] - of.alpha * (x[(i + 1) % tanks] + x[(i + 2) % tanks]);
  }
};

int residual(double /*t*/, N_Vector w_vector, N_Vector wp_vector, N_Vector F_vector, void* data) {
  const auto& system = *static_cast<const System*>(data);
  const double* const w = NV_DATA_S(w_vector);
  const double* const wp = NV_DATA_S(wp_vector);
  double* const F = NV_DATA_S(F_vector);
  for (int i = 0; i < tanks; ++i) {
    F[i] = (system.cm * wp[i] + system.walls(w, i) - system.from_ambient) * w[3];
    if (system.z[i] != 0) F[i] += system.cf * (w[i] - system.of.inlet);
  }
  F[3] = w[3] - system.open_valves();
  return 0;
}

/// J = ∂F/∂w + α ∂F/∂ẇ, column by column.
int jacobian(double /*t*/, double alpha, N_Vector w_vector, N_Vector wp_vector, N_Vector /*F*/, SUNMatrix J,
             void* data, N_Vector, N_Vector, N_Vector) {
  const auto& system = *static_cast<const System*>(data);
  const double* const w = NV_DATA_S(w_vector);
  const double* const wp = NV_DATA_S(wp_vector);
  for (int j = 0; j < tanks; ++j) {
    double* const column = SM_COLUMN_D(J, j);
    for (int i = 0; i < tanks; ++i) column[i] = -system.of.alpha * w[3];
    column[j] = (alpha * system.cm + system.gamma) * w[3] + (system.z[j] != 0 ? system.cf : 0.0);
    column[3] = 0.0;
  }
  double* const column = SM_COLUMN_D(J, 3);
  for (int i = 0; i < tanks; ++i) column[i] = system.cm * wp[i] + system.walls(w, i) - system.from_ambient;
  column[3] = 1.0;
  return 0;
}

/// Roots 0 to 2: the lower limits, 3 to 5: the upper ones.
int limits(double /*t*/, N_Vector w_vector, N_Vector /*wp*/, double* g, void* data) {
  const auto& system = *static_cast<const System*>(data);
  const double* const w = NV_DATA_S(w_vector);
  for (int i = 0; i < tanks; ++i) {
    g[i] = w[i] - system.of.low[i];
    g[tanks + i] = w[i] - system.of.high[i];
  }
  return 0;
}

/// The run: handles, present point, and what was recorded.
class Run {
 public:
  Run(const ThreeTanks& given, const IdaOptions& options)
      : options_(options),
        system_(given),
        context_(new_context()),
        w_(N_VNew_Serial(size, context_.get())),
        wp_(N_VNew_Serial(size, context_.get())),
        work_(N_VNew_Serial(size, context_.get())),
        tolerance_(N_VNew_Serial(size, context_.get())),
        matrix_(SUNDenseMatrix(size, size, context_.get())),
        solver_(SUNLinSol_Dense(w_.get(), matrix_.get(), context_.get())),
        ida_(IDACreate(context_.get())) {
    std::copy(given.start.begin(), given.start.end(), w());
    make_consistent();
    for (int i = 0; i < size; ++i)
      NV_DATA_S(tolerance_.get())[i] = options.atol * (i < tanks ? nominal : 1.0);
    check(IDASetUserData(ida_.get(), &system_), "IDASetUserData");
    check(IDAInit(ida_.get(), residual, 0.0, w_.get(), wp_.get()), "IDAInit");
    check(IDASVtolerances(ida_.get(), options.rtol, tolerance_.get()), "IDASVtolerances");
    check(IDASetLinearSolver(ida_.get(), solver_.get(), matrix_.get()), "IDASetLinearSolver");
    check(IDASetJacFn(ida_.get(), jacobian), "IDASetJacFn");
    check(IDARootInit(ida_.get(), roots, limits), "IDARootInit");
    std::array<int, roots> directions{-1, -1, -1, 1, 1, 1};
    check(IDASetRootDirection(ida_.get(), directions.data()), "IDASetRootDirection");
    check(IDASetNoInactiveRootWarn(ida_.get()), "IDASetNoInactiveRootWarn");
    check(IDASetStopTime(ida_.get(), options.stop), "IDASetStopTime");
    set_first_step();
    run_.rows.reserve(static_cast<std::size_t>(options.stop / options.output_interval) + 200);
  }

  IdaRun integrate() {
    record(0.0, 0, w());
    for (double t = 0.0; t < options_.stop;) {
      const int flag = IDASolve(ida_.get(), options_.stop, &t, w_.get(), wp_.get(), IDA_ONE_STEP);
      check(flag, "IDASolve");
      record_outputs(t);
      if (flag == IDA_ROOT_RETURN) switch_valves(t);
    }
    count();
    return std::move(run_);
  }

 private:
  double* w() { return NV_DATA_S(w_.get()); }

  /// y and ẇ from x and the valves: the equations are explicit in them, and y is constant on a segment.
  void make_consistent() {
    double* const wp = NV_DATA_S(wp_.get());
    w()[3] = system_.open_valves();
    for (int i = 0; i < tanks; ++i) {
      const double inflow = system_.z[i] != 0 ? system_.cf * (w()[i] - system_.of.inlet) / w()[3] : 0.0;
      wp[i] = -(system_.walls(w(), i) - system_.from_ambient + inflow) / system_.cm;
    }
    wp[3] = 0.0;
  }

  /// A first-order step of length h errs by ½h²|ẍ|: half of what is allowed.
  void set_first_step() {
    if (!options_.first_step_from_curvature) return;
    const double* const wp = NV_DATA_S(wp_.get());
    double curvature = 0.0;
    for (int i = 0; i < tanks; ++i) {
      const double inflow = system_.z[i] != 0 ? system_.cf * wp[i] / w()[3] : 0.0;
      const double second = (system_.walls(wp, i) + inflow) / system_.cm;
      curvature = std::max(curvature,
                           std::abs(second) / (options_.rtol * std::abs(w()[i]) + options_.atol * nominal));
    }
    check(IDASetInitStep(ida_.get(), curvature > 0.0 ? std::sqrt(1.0 / curvature) : 0.0), "IDASetInitStep");
  }

  void record(double t, int side, const double* w) {
    run_.rows.push_back({t, side, {w[0], w[1], w[2]}, w[3], system_.z});
  }

  void record_outputs(double up_to) {
    for (double t = output_time(); t <= up_to && t <= options_.stop; t = output_time()) {
      check(IDAGetDky(ida_.get(), t, 0, work_.get()), "IDAGetDky");
      record(t, 0, NV_DATA_S(work_.get()));
      ++output_;
    }
  }
  [[nodiscard]] double output_time() const { return static_cast<double>(output_) * options_.output_interval; }

  void switch_valves(double t) {
    std::array<int, roots> found{};
    check(IDAGetRootInfo(ida_.get(), found.data()), "IDAGetRootInfo");
    const std::array<int, 3> before = system_.z;
    std::array<int, 3> after = before;
    for (int i = 0; i < tanks; ++i) {
      if (found[at(i)] != 0) after[i] = 1;
      if (found[at(tanks + i)] != 0) after[i] = 0;
      if (after[i] != before[i]) run_.switches.push_back({t, i});
    }
    if (after == before) return;
    record(t, -1, w());
    system_.z = after;
    make_consistent();
    record(t, 1, w());
    count();
    check(IDAReInit(ida_.get(), t, w_.get(), wp_.get()), "IDAReInit");
    set_first_step();
  }

  /// IDA counts from each restart.
  void count() {
    long number = 0;
    check(IDAGetNumSteps(ida_.get(), &number), "IDAGetNumSteps");
    run_.steps += number;
    check(IDAGetNumResEvals(ida_.get(), &number), "IDAGetNumResEvals");
    run_.residual_evaluations += number;
    check(IDAGetNumJacEvals(ida_.get(), &number), "IDAGetNumJacEvals");
    run_.jacobian_evaluations += number;
  }

  IdaOptions options_;
  System system_;
  Owned<SUNContext, free_context> context_;
  Owned<N_Vector, N_VDestroy> w_, wp_, work_, tolerance_;
  Owned<SUNMatrix, SUNMatDestroy> matrix_;
  Owned<SUNLinearSolver, SUNLinSolFree> solver_;
  std::unique_ptr<void, Release<void*, free_ida>> ida_;
  IdaRun run_;
  long output_ = 1;
};

}  // namespace

IdaRun run_three_tanks(const ThreeTanks& tanks, const IdaOptions& options) {
  return Run(tanks, options).integrate();
}

}  // namespace mti::bench
