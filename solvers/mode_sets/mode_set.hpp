#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <stdexcept>
#include <vector>

namespace mti {

/// A set of modes: those in which a Boolean function of mode variables 0, 1, 2, … is true.
///
/// Held as a reduced ordered binary decision diagram, variable 0 at the top; equal functions are the same
/// diagram, so that comparison is a comparison of numbers. Diagrams are shared by the whole process; using
/// them from several threads is safe, and serialised. Source: Bryant, Graph-based algorithms for Boolean
/// function manipulation, IEEE Trans. Comput. 35 (1986). Errors: ModeSetTooLarge from every operation that
/// makes a diagram.
class ModeSet {
 public:
  ModeSet() noexcept = default;  ///< no mode
  ModeSet(const ModeSet& other) noexcept;
  ModeSet(ModeSet&& other) noexcept;
  ModeSet& operator=(const ModeSet& other) noexcept;
  ModeSet& operator=(ModeSet&& other) noexcept;
  ~ModeSet();

  [[nodiscard]] static ModeSet none() noexcept { return {}; }
  [[nodiscard]] static ModeSet all() noexcept;
  /// The modes in which `variable` is 1.
  [[nodiscard]] static ModeSet where(int variable);

  friend ModeSet operator&(const ModeSet& a, const ModeSet& b);
  friend ModeSet operator|(const ModeSet& a, const ModeSet& b);
  friend ModeSet operator-(const ModeSet& a, const ModeSet& b);  ///< in a and not in b
  friend ModeSet operator!(const ModeSet& a);
  ModeSet& operator&=(const ModeSet& other);
  ModeSet& operator|=(const ModeSet& other);
  ModeSet& operator-=(const ModeSet& other);
  friend bool operator==(const ModeSet& a, const ModeSet& b) noexcept { return a.node_ == b.node_; }

  [[nodiscard]] bool empty() const noexcept { return node_ == 0; }
  [[nodiscard]] bool is_all() const noexcept { return node_ == 1; }
  [[nodiscard]] bool is_constant() const noexcept { return node_ <= 1; }

  /// A set that agrees with this one on `care`, and is small: none if nothing of it is in `care`, all if all
  /// of `care` is in it. `care` is not empty. (Restriction of Coudert and Madre, 1990.)
  [[nodiscard]] ModeSet within(const ModeSet& care) const;
  /// For which values of the other variables some (any) value of `variables` is in the set.
  [[nodiscard]] ModeSet exists(std::span<const int> variables) const;
  /// The set with `variable` held at `value`.
  [[nodiscard]] ModeSet with(int variable, bool value) const;
  /// Every variable v replaced by `renamed[v]`, an increasing map; variables beyond its end stay.
  [[nodiscard]] ModeSet renamed(std::span<const int> renamed) const;

  /// Whether the mode with these values of the variables is in the set.
  [[nodiscard]] bool contains(const std::function<bool(int)>& value_of) const;
  /// The variables it depends on, ascending.
  [[nodiscard]] std::vector<int> support() const;
  /// Nodes of its diagram.
  [[nodiscard]] int size() const;

  /// Variable at the top of a set that is not constant, and what is below where it is 0 and 1.
  [[nodiscard]] int variable() const;
  [[nodiscard]] ModeSet low() const;
  [[nodiscard]] ModeSet high() const;
  /// The same for equal sets as long as one of them lives.
  [[nodiscard]] int id() const noexcept { return node_; }

 private:
  struct Owned {
    int node;
  };
  explicit ModeSet(Owned owned) noexcept : node_(owned.node) {}

  int node_ = 0;  ///< 0 and 1 are the constants
};

struct ModeSetHash {
  [[nodiscard]] std::size_t operator()(const ModeSet& set) const noexcept {
    return std::hash<int>()(set.id());
  }
};

/// While it lives, operations of this thread throw ModeSetTooLarge where the diagrams of the process have more than `nodes`
/// nodes, or more than limits around it allow. Nodes are counted where the table is full.
class DiagramLimit {
 public:
  explicit DiagramLimit(long long nodes) noexcept;
  ~DiagramLimit();
  DiagramLimit(const DiagramLimit&) = delete;
  DiagramLimit& operator=(const DiagramLimit&) = delete;

 private:
  long long before_;
};

/// Gives back what all sets share, for a library that is unloaded. No set is made or destroyed after that.
void release_mode_sets() noexcept;

/// The diagrams of a process have outgrown their limit.
struct ModeSetTooLarge : std::runtime_error {
  using std::runtime_error::runtime_error;
};

}  // namespace mti
