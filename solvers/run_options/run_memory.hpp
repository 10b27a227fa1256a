#pragma once

#include "solvers/plan/plan_memory.hpp"
#include "solvers/switching/transition_memory.hpp"

namespace mti {

/// What runs of one model with different numbers can take over from each other: plans, which follow from the structure of its
/// modes alone, and transitions, whose candidates are judged anew. It is of no consequence to a run but time, whatever runs
/// were before.
///
/// Of one thread; it keeps what is about the model of the last run.
struct RunMemory {
  PlanMemory plans;
  TransitionMemory transitions;
};

}  // namespace mti
