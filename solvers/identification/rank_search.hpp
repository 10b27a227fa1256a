#pragma once

#include <cstdint>
#include <optional>

#include "solvers/identification/cp_gauss_newton.hpp"

namespace mti {

/// How the least-squares CP function of a rank is looked for.
struct RankSearchOptions {
  Signs signs = Signs::any;
  int starts = 300;           ///< at most
  std::uint64_t seed = 1;     ///< with `stream` decides about all starts
  std::uint32_t stream = 0;   ///< searches with different numbers have different starts
  double good_enough = -1.0;  ///< a cost at which nothing more is looked for
};

/// The best of several starts.
struct RankFit {
  CpFit fit;
  int starts = 0;       ///< that were made
  int times_best = 0;   ///< how many of them came to this cost
  bool unsure = false;  ///< one only, and the fit is not exact: another start may come lower
};

/// min |Y − F(W)|² over CP functions of a rank, from several starts; each is some sweeps of alternating least squares and then
/// Gauss–Newton. The first takes `lower`, a good function of a lower rank, and adds columns of random angles; of the others
/// two in three are random, the third exchanges one column of the best so far. A minimum that a third of forty starts
/// or more came to is taken for the lowest, and so is an exact fit. It depends on the data and the options alone.
///
/// The minimum is not proved to be global: nothing of polynomial time does that. Nothing where no start had independent columns.
[[nodiscard]] std::optional<RankFit> search_rank(const RegressionData& data, int rank,
                                                 const RankSearchOptions& options,
                                                 const CpFactors* lower = nullptr);

}  // namespace mti
