#pragma once

#include "io/studies/study_team.hpp"
#include "program/console/exit_status.hpp"

namespace mti {

/// The processes that an MPI launcher has started, from MPI_Init to MPI_Finalize. Only the thread that has made it calls
/// MPI.
class MpiTeam {
 public:
  MpiTeam(int& argc, char**& argv);
  ~MpiTeam();
  MpiTeam(const MpiTeam&) = delete;
  MpiTeam& operator=(const MpiTeam&) = delete;

  /// `meet` throws TeamLeft once a process has called end().
  [[nodiscard]] const StudyTeam& team() const { return team_; }

  /// The end of this process in the team: waits for the others, and returns the greatest of their statuses. Others that do not
  /// answer are ended with it.
  [[nodiscard]] ExitStatus end(ExitStatus status);

 private:
  /// Waits for all, each with a number; the greatest of them.
  int meet(int number);

  StudyTeam team_;
  int left_ = 0;  ///< status of those that have left
  bool is_given_up_ = false;
};

}  // namespace mti
