#pragma once

namespace mti {

/// What the program's exit status says.
enum class ExitStatus : int {
  done = 0,
  wrong_usage = 1,
  not_valid = 2,    ///< the model or a file
  ended_early = 3,  ///< the run; outcome in summary.json, results up to there are written
};

}  // namespace mti
