#include "tests/program/relay_by_ida.hpp"

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <array>
#include <cmath>
#include <stdexcept>
#include <string>

namespace mti::test {
namespace {

void check(int flag, const char* call) {
  if (flag < 0) throw std::runtime_error(std::string(call) + " returned " + std::to_string(flag));
}

Eigen::Map<Eigen::VectorXd> view(N_Vector vector) { return {NV_DATA_S(vector), NV_LENGTH_S(vector)}; }

/// ẋ = M x + m: what holds on a side, or on the surface.
struct Field {
  const RelaySystem* system;
  int side = 0;
  Eigen::MatrixXd M;
  Eigen::VectorXd m;

  void enter(int new_side) {
    side = new_side;
    M = system->A;
    m = -side * system->b;
    if (side == 0) M -= system->b * equivalent();
  }
  [[nodiscard]] Eigen::RowVectorXd equivalent() const {
    return system->c * system->A / system->c.dot(system->b);
  }
};

int residual(double /*t*/, N_Vector x, N_Vector xdot, N_Vector F, void* data) {
  const auto& field = *static_cast<const Field*>(data);
  view(F) = view(xdot) - field.M * view(x) - field.m;
  return 0;
}

int jacobian(double /*t*/, double alpha, N_Vector, N_Vector, N_Vector, SUNMatrix J, void* data, N_Vector,
             N_Vector, N_Vector) {
  const auto& field = *static_cast<const Field*>(data);
  const Eigen::Index n = field.m.size();
  Eigen::Map<Eigen::MatrixXd>(SM_DATA_D(J), n, n) = alpha * Eigen::MatrixXd::Identity(n, n) - field.M;
  return 0;
}

/// On a side: −side·c·x rises through zero at the surface. Sliding: sgn − 1 and −sgn − 1 at its bounds.
int boundaries(double /*t*/, N_Vector x, N_Vector, double* g, void* data) {
  const auto& field = *static_cast<const Field*>(data);
  const double u = field.equivalent().dot(view(x));
  g[0] = field.side == 0 ? u - 1.0 : -field.side * field.system->c.dot(view(x));
  g[1] = field.side == 0 ? -u - 1.0 : -1.0;
  return 0;
}

/// IDA's handles.
struct Handles {
  explicit Handles(sunindextype n) {
    check(SUNContext_Create(nullptr, &context), "SUNContext_Create");
    x = N_VNew_Serial(n, context);
    xdot = N_VNew_Serial(n, context);
    sample = N_VNew_Serial(n, context);
    matrix = SUNDenseMatrix(n, n, context);
    solver = SUNLinSol_Dense(x, matrix, context);
    ida = IDACreate(context);
  }
  ~Handles() {
    IDAFree(&ida);
    SUNLinSolFree(solver);
    SUNMatDestroy(matrix);
    for (const N_Vector vector : {x, xdot, sample}) N_VDestroy(vector);
    SUNContext_Free(&context);
  }
  Handles(const Handles&) = delete;
  Handles& operator=(const Handles&) = delete;

  SUNContext context = nullptr;
  N_Vector x = nullptr, xdot = nullptr, sample = nullptr;
  SUNMatrix matrix = nullptr;
  SUNLinearSolver solver = nullptr;
  void* ida = nullptr;
};

/// The side to go on with from a boundary that was met.
int side_after(const Field& field, Eigen::Map<Eigen::VectorXd> x) {
  const RelaySystem& system = *field.system;
  const double u = field.equivalent().dot(x);
  if (field.side == 0) return u > 0.0 ? 1 : -1;
  x -= system.c.transpose() * (system.c.dot(x) / system.c.squaredNorm());
  return std::abs(field.equivalent().dot(x)) <= 1.0 && system.c.dot(system.b) > 0.0 ? 0 : -field.side;
}

}  // namespace

RelayRun run_with_ida(const RelaySystem& system, const Eigen::VectorXd& x, int side,
                      const std::vector<double>& sample_times, double rtol, double atol) {
  Field field{&system, side, {}, {}};
  field.enter(side);
  const Handles of(x.size());
  view(of.x) = x;
  view(of.xdot) = field.M * x + field.m;
  check(IDASetUserData(of.ida, &field), "IDASetUserData");
  check(IDAInit(of.ida, residual, 0.0, of.x, of.xdot), "IDAInit");
  check(IDASStolerances(of.ida, rtol, atol), "IDASStolerances");
  check(IDASetLinearSolver(of.ida, of.solver, of.matrix), "IDASetLinearSolver");
  check(IDASetJacFn(of.ida, jacobian), "IDASetJacFn");
  check(IDARootInit(of.ida, 2, boundaries), "IDARootInit");
  std::array<int, 2> rising{1, 1};
  check(IDASetRootDirection(of.ida, rising.data()), "IDASetRootDirection");
  check(IDASetNoInactiveRootWarn(of.ida), "IDASetNoInactiveRootWarn");
  check(IDASetMaxNumSteps(of.ida, 100000), "IDASetMaxNumSteps");

  RelayRun run;
  for (const double time : sample_times) {
    check(IDASetStopTime(of.ida, sample_times.back()), "IDASetStopTime");
    for (double t = 0.0; t < time;) {
      const int flag = IDASolve(of.ida, time, &t, of.sample, of.xdot, IDA_NORMAL);
      check(flag, "IDASolve");
      if (flag != IDA_ROOT_RETURN) break;
      const int before = field.side;
      view(of.x) = view(of.sample);
      field.enter(side_after(field, view(of.x)));
      view(of.xdot) = field.M * view(of.x) + field.m;
      run.changes.push_back({t, before, field.side});
      check(IDAReInit(of.ida, t, of.x, of.xdot), "IDAReInit");
    }
    run.samples.push_back(view(of.sample));
  }
  return run;
}

}  // namespace mti::test
