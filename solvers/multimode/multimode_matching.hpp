#pragma once

#include <utility>
#include <vector>

#include "mti/common/at.hpp"
#include "solvers/mode_sets/mode_space.hpp"

namespace mti {

/// Rows and columns with conditional entries: row i contains column j in the modes `where`.
struct ConditionalPattern {
  struct Entry {
    int column = 0;
    ModeSet where;
  };
  struct Place {
    int row = 0;
    int entry = 0;
  };
  std::vector<std::vector<Entry>> rows;
  std::vector<std::vector<Place>> columns;  ///< of each column, the entries that hold it

  explicit ConditionalPattern(int column_count) : columns(at(column_count)) {}
  void add_row(std::vector<Entry> entries);
};

/// Row or column with the modes in which it is meant.
using Conditional = std::pair<int, ModeSet>;

/// A matching of every mode at once: entry e of row i is matched in the modes matched(i, e).
///
/// In each mode, rows and columns have at most one partner, by an entry that is there. Grows row by row along
/// alternating paths, a breadth-first search for all modes together in which the modes part where their
/// entries differ: cost follows the sets met on the way, not the number of modes.
/// Source: Berge, Two theorems in graph theory, PNAS 43 (1957) 842-844, mode by mode.
class MultimodeMatching {
 public:
  explicit MultimodeMatching(const ConditionalPattern& pattern);

  /// What a search has left.
  struct Search {
    ModeSet unmatched;  ///< modes in which the row cannot be matched
    /// In those modes: the rows on alternating paths from the row, itself included, and their columns. There
    /// is one row more than there are columns.
    std::vector<Conditional> rows, columns;
  };
  /// Matches row `root` in the modes `wanted`, where it has no partner yet. `pattern` may differ from earlier ones
  /// as long as all matched entries are in it.
  Search match(const ConditionalPattern& pattern, int root, const ModeSet& wanted,
               const Considered& considered);

  /// May hold modes that are not considered.
  [[nodiscard]] const ModeSet& matched(int row, int entry) const { return matched_[at(row)][at(entry)]; }
  /// The modes in which no row is matched with the column.
  [[nodiscard]] const ModeSet& free(int column) const { return free_[at(column)]; }

  /// Rows and columns on alternating paths from columns without partner (as `free` says), with the modes.
  struct Part {
    std::vector<ModeSet> rows, columns;  ///< of every row and column
  };
  [[nodiscard]] Part reached_from_free_columns(const ConditionalPattern& pattern,
                                               const Considered& considered) const;

 private:
  std::vector<std::vector<ModeSet>> matched_;
  std::vector<ModeSet> free_;
};

}  // namespace mti
