#pragma once

#include <optional>
#include <string>

#include "io/study_journals/study_journal.hpp"
#include "io/study_plans/study_plan.hpp"

namespace mti {

inline constexpr const char* what_if_page_name = "what_if.html";
/// A page with a slider for each factor of a grid: kept quantities between its runs, interpolated linearly in each
/// factor,
///
///     y(x) = Σ_c w_c y_c,   w_c = Π_j (1 − θ_j or θ_j),
///
/// over the corners c of the cell that x lies in; values over time; and events and ends of the neighbouring runs, where they
/// differ. One file with its scripts and numbers, which any browser opens without a network. Nothing where the design is no
/// grid, runs are missing, or the numbers are more than a page can hold.
[[nodiscard]] std::optional<std::string> what_if_page(const StudyPlan& plan, JournalRows& rows);

}  // namespace mti
