#pragma once

#include <ida/ida.h>
#include <nvector/nvector_serial.h>
#include <sundials/sundials_context.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_klu.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunmatrix/sunmatrix_sparse.h>

#include <memory>
#include <new>
#include <numeric>
#include <span>
#include <string>

#include "mti/common/at.hpp"
#include "solvers/integration/ida_messages.hpp"
#include "solvers/integration/integrator.hpp"
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
inline double norm(N_Vector v, N_Vector weight) { return weighted_norm(view(v), view(weight)); }

}  // namespace mti::ida
