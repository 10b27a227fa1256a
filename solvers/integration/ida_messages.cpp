#include "solvers/integration/ida_messages.hpp"

#include <ida/ida.h>

namespace mti {

std::string ida_failure(int flag, const std::string& call) {
  switch (flag) {
    case IDA_TOO_MUCH_WORK:
      return "one step took more work than allowed: the tolerances may be too small for the model";
    case IDA_TOO_MUCH_ACC:
      return "the tolerances ask for more than rounding leaves: raise rtol or atol, or give signals a "
             "nominal "
             "value";
    case IDA_ERR_FAIL:
      return "no step, however short, meets the tolerances: the solution may be singular or jump here; raise "
             "rtol or atol, or give signals that are small against the others a nominal value";
    case IDA_CONV_FAIL:
    case IDA_NLS_FAIL:
      return "the equations of a step cannot be solved, however short it is: the solution may end or branch "
             "here, or atol is below the rounding of a signal; raise rtol or atol, or give signals a nominal "
             "value";
    case IDA_LINIT_FAIL:
    case IDA_LSETUP_FAIL:
    case IDA_LSOLVE_FAIL:
    case IDA_NLS_SETUP_FAIL:
      return "the Jacobian of a step is singular, however short it is: mti analyze MODEL --mode shows the "
             "rank "
             "of this mode";
    case IDA_RES_FAIL:
    case IDA_REP_RES_ERR:
    case IDA_FIRST_RES_FAIL:
      return "values of the equations are not finite: a signal grows without bound near this time; stop the "
             "run before it, or give signals nominal values";
    case IDA_ILL_INPUT:
    case IDA_BAD_EWT:
      return "no step can begin: the stop time or a breakpoint of an input is closer than the resolution of "
             "time, or a signal that is 0 has the absolute tolerance 0; give it an atol";
    case IDA_MEM_FAIL:
      return "the memory does not suffice for its work arrays";
    default:
      return "it cannot go on for a reason that no model gives; please report it (" + call + ": " +
             std::to_string(flag) + ")";
  }
}

}  // namespace mti
