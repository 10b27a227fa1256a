#pragma once

#include "program/arguments/arguments.hpp"
#include "program/console/exit_status.hpp"

namespace mti {

/// How many processes of this command an MPI launcher has started, as it tells them: Open MPI, MPICH and its kin, Slurm with
/// PMIx; 1 if there is none.
[[nodiscard]] int launched_processes();

/// An MPI launcher (mpirun, srun) has started several processes of this command, which make a study together. One with
/// --shard has its part, and makes it alone.
[[nodiscard]] bool belongs_to_team(const Arguments& arguments);

/// Becomes the program mti-study-mpi, which is installed beside this one, with the same arguments: the program mti itself
/// needs no MPI. Returns with a message where there is none.
[[nodiscard]] ExitStatus join_team(int argc, char** argv);

}  // namespace mti
