#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/integration/ida_messages.hpp"
#include "solvers/integration/integrator.hpp"
#include "solvers/integration/newton_convergence.hpp"
#include "solvers/integration/owned_handle.hpp"
#include "solvers/integration/weighted_norm.hpp"

/// What IDA hands out, each with the function that frees it; for the one source that calls IDA.
namespace mti::ida {

inline void check(int flag, const char* what) {
  if (flag == IDA_MEM_FAIL) throw std::bad_alloc();
  if (flag < 0) throw IntegrationFailure("the integrator stopped: " + ida_failure(flag, what));
}

using IdaVector = Owned<N_Vector, N_VDestroy>;
using IdaMatrix = Owned<SUNMatrix, SUNMatDestroy>;
using Solver = Owned<SUNLinearSolver, SUNLinSolFree>;
using Newton = Owned<SUNNonlinearSolver, SUNNonlinSolFree>;

struct FreeContext {
  void operator()(SUNContext context) const { SUNContext_Free(&context); }
};
struct FreeIda {
  void operator()(void* memory) const { IDAFree(&memory); }
};

inline std::span<double> view(N_Vector vector) {
  return {N_VGetArrayPointer(vector), at(N_VGetLength(vector))};
}
/// Those of a dense solver have none before its first factorisation, which a Jacobian that is not finite may prevent.
inline SUNLinearSolver with_pivots(SUNLinearSolver dense) {
  auto* const content = static_cast<SUNLinearSolverContent_Dense>(dense->content);
  std::iota(content->pivots, content->pivots + content->N, sunindextype{0});
  return dense;
}
/// Below this many unknowns, or above this fill, a dense factorisation is the faster one.
inline bool suits_sparse(int size, std::size_t nonzeros) {
  constexpr int smallest_size = 40;
  constexpr double largest_fill = 0.25;
  return size >= smallest_size &&
         static_cast<double>(nonzeros) <= largest_fill * (static_cast<double>(size) * size);
}
/// For the changes of Newton's iteration; `convergence` is a NewtonConvergence.
inline int converged(SUNNonlinearSolver newton, N_Vector, N_Vector change, double tolerance, N_Vector weight,
                     void* convergence) noexcept {
  int m = 0;
  SUNNonlinSolGetCurIter(newton, &m);
  switch (static_cast<NewtonConvergence*>(convergence)->judge(m, N_VWrmsNorm(change, weight), tolerance)) {
    case NewtonConvergence::Verdict::converged:
      return SUN_NLS_SUCCESS;
    case NewtonConvergence::Verdict::diverges:
      return SUN_NLS_CONV_RECVR;
    case NewtonConvergence::Verdict::goes_on:
      break;
  }
  return SUN_NLS_CONTINUE;
}
inline Newton newton_of(void* ida, N_Vector w, SUNContext context, NewtonConvergence& convergence) {
  Newton newton(require(SUNNonlinSol_Newton(w, context)));
  check(IDASetNonlinearSolver(ida, newton.get()), "IDASetNonlinearSolver");
  check(SUNNonlinSolSetConvTestFn(newton.get(), &converged, &convergence), "SUNNonlinSolSetConvTestFn");
  return newton;
}
inline double norm(N_Vector v, N_Vector weight) { return weighted_norm(view(v), view(weight)); }

}  // namespace mti::ida
