#include "solvers/mode_sets/mode_set.hpp"

#include <bdd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <iterator>
#include <map>
#include <mutex>
#include <new>
#include <random>
#include <string>
#include <thread>
#include <unordered_set>
#include <utility>

#include "mti/common/at.hpp"

// BuDDy's header renames these C functions to those of its class, which is not used here.
#undef bdd_init
#undef bdd_ithvar
#undef bdd_nithvar

/// BuDDy's stack of the nodes an operation holds, two places for each variable: a symbol of the library that
/// its header does not name.
extern "C" int* bddrefstack;
/// Not 0: an operation of BuDDy has failed, and makes no more nodes.
extern "C" int bdderrorcond;

namespace mti {
namespace {

/// What BuDDy starts with: small enough for programs that run for milliseconds.
constexpr int first_nodes = 20000;
constexpr int first_cache = 5000;
/// Nodes at most, 20 bytes each. A prime, as the sizes of BuDDy's table are: growing towards a limit that is
/// none, its growth would end in steps of zero, for which the library is not prepared.
constexpr int most_nodes = 49'999'991;
/// The table doubles, up to this increase at once, where collecting leaves less than this share free.
constexpr int most_increase = 10'000'000;
constexpr int free_percent = 30;
/// Nodes for one entry of each of the six caches of results, 24 bytes each. A new result takes the place of an old one:
/// with half of the entries, operations on wide diagrams take a hundred times as long, for they do again what is lost.
constexpr int nodes_per_cache_entry = 4;
constexpr int first_variables = 64;
/// Nodes free at least where variables are made.
constexpr int least_free = 2000;

/// The last error of a call to BuDDy, 0 if there was none. Its C functions cannot throw.
int& recorded_error() noexcept {
  static int error = 0;
  return error;
}

extern "C" void record_error(int error) {
  if (recorded_error() == 0) recorded_error() = error;
}

/// What DiagramLimit says, of each thread. A thread_local would be one of every library that is loaded and unloaded.
class NodesAllowed {
 public:
  static NodesAllowed& shared() noexcept {
    static NodesAllowed allowed;
    return allowed;
  }
  [[nodiscard]] long long of_this_thread() noexcept {
    const std::lock_guard lock(mutex_);
    const auto found = limits_.find(std::this_thread::get_id());
    return found == limits_.end() ? most_nodes : found->second;
  }
  /// Without the memory for it there is no limit but that of all.
  void limit_this_thread(long long nodes) noexcept {
    const std::lock_guard lock(mutex_);
    limits_.erase(std::this_thread::get_id());
    try {
      if (nodes < most_nodes) limits_.emplace(std::this_thread::get_id(), nodes);
    } catch (const std::bad_alloc&) {
    }
  }

 private:
  std::mutex mutex_;
  std::map<std::thread::id, long long> limits_;
};

/// BuDDy calls this before and after it collects nodes, which it does where its table is full.
extern "C" void end_beyond_limit(int before, bddGbcStat* /*unused*/) {
  if (before != 0 || bdd_getnodenum() <= NodesAllowed::shared().of_this_thread()) return;
  record_error(BDD_NODENUM);
  bdderrorcond = -BDD_NODENUM;
  bdd_setmaxnodenum(bdd_getallocnum());  // or the table would double before the operation ends
}

/// BuDDy has one state for a whole process. All calls are made with `mutex` locked.
class Diagrams {
 public:
  std::mutex mutex;

  /// Lives as long as the process, since mode sets may be destroyed as late as that, or until release_mode_sets().
  static Diagrams& shared() {
    static Diagrams& diagrams = *(made() = new Diagrams);
    return diagrams;
  }
  ~Diagrams() { bdd_done(); }
  Diagrams(const Diagrams&) = delete;
  Diagrams& operator=(const Diagrams&) = delete;
  /// Null: no set has been made.
  static std::atomic<Diagrams*>& made() noexcept {
    static std::atomic<Diagrams*> diagrams = nullptr;
    return diagrams;
  }

  /// Throws if BuDDy has recorded an error. What it returned means nothing then, nor do its caches.
  static void refuse_errors() {
    const int error = std::exchange(recorded_error(), 0);
    if (error == 0) return;
    bdd_clear_error();
    bdd_setmaxnodenum(most_nodes);
    const std::string reason = bdd_errstring(error);
    if (error == BDD_NODENUM || error == BDD_MEMORY) {
      throw ModeSetTooLarge("decision diagrams of sets of modes need more than " +
                            std::to_string(NodesAllowed::shared().of_this_thread()) +
                            " nodes or the memory there is: " + reason);
    }
    throw std::invalid_argument("sets of modes: " + reason);
  }

  /// Makes the variables below `count`.
  static void make_variables(int count) {
    if (count <= bdd_varnum()) return;
    const int wanted = std::max(count, 2 * bdd_varnum());
    while (bdd_varnum() < wanted) {
      const int free = free_nodes();
      if (free < least_free) {
        make_room();
      } else {
        add_variables(std::min(wanted, bdd_varnum() + free / 4));
      }
    }
  }

  /// Conjunction of those of `variables` that exist; no set depends on others.
  int conjunction(std::span<const int> variables) {
    if (std::ranges::equal(variables, conjoined_)) return conjunction_;
    std::vector<int> sorted(variables.begin(), variables.end());
    std::ranges::sort(sorted);
    const auto beyond = std::ranges::lower_bound(sorted, bdd_varnum());
    int made = 1;
    std::for_each(std::make_reverse_iterator(beyond), sorted.rend(), [&](int variable) {
      const int below = made;
      made = bdd_addref(bdd_apply(bdd_ithvar(variable), below, bddop_and));
      bdd_delref(below);
    });
    refuse_errors();
    bdd_delref(conjunction_);
    conjunction_ = made;
    // Variables made later would be missing.
    conjoined_ =
        beyond == sorted.end() ? std::vector(variables.begin(), variables.end()) : std::vector<int>();
    return conjunction_;
  }

  /// Replacement of variable v by `renamed[v]`. The last two are kept: BuDDy's cache goes by replacement.
  bddPair* replacement(std::span<const int> renamed) {
    for (std::size_t i = 0; i < replacements_.size(); ++i)
      if (std::ranges::equal(renamed, replacements_[i].renamed)) {
        latest_ = i;
        return replacements_[i].pair;
      }
    latest_ = 1 - latest_;
    Replacement& one = replacements_[latest_];
    one.renamed.clear();
    make_variables(std::max(static_cast<int>(renamed.size()), std::ranges::max(renamed) + 1));
    bdd_resetpair(one.pair);
    // Also where v stays: a pair that is only reset keeps its number in the cache, and with it old results.
    for (int v = 0; v < static_cast<int>(renamed.size()); ++v) bdd_setpair(one.pair, v, renamed[at(v)]);
    refuse_errors();
    one.renamed.assign(renamed.begin(), renamed.end());
    return one.pair;
  }

 private:
  static int free_nodes() { return bdd_getallocnum() - bdd_getnodenum(); }

  /// A collection of nodes reads places of BuDDy's stack that are reserved and not written yet, and this
  /// call makes the stack anew, uninitialised. So there is no collection before it is filled: two nodes of
  /// each variable are free.
  static void add_variables(int count) {
    bdd_setvarnum(count);
    refuse_errors();
    std::fill_n(bddrefstack, 2 * at(count), 0);
  }

  /// Collects nodes, and lets the table grow if that does not help: it does so when it is full.
  static void make_room() {
    bdd_gbc();
    std::mt19937 random;
    const int before = bdd_getallocnum();
    while (free_nodes() < least_free && bdd_getallocnum() == before) {
      int product = 1;
      for (int v = first_variables - 1; v >= 0; --v) {
        const int below = product;
        product = bdd_addref(bdd_apply(random() % 2 == 0 ? bdd_ithvar(v) : bdd_nithvar(v), below, bddop_and));
        bdd_delref(below);
      }
      bdd_delref(product);
      refuse_errors();
    }
  }

  Diagrams() {
    if (bdd_init(first_nodes, first_cache) < 0) throw ModeSetTooLarge("no memory for decision diagrams");
    bdd_error_hook(record_error);
    bdd_gbc_hook(end_beyond_limit);
    bdd_resize_hook(nullptr);
    bdd_setmaxnodenum(most_nodes);
    bdd_setmaxincrease(most_increase);
    bdd_setminfreenodes(free_percent);
    add_variables(first_variables);
    bdd_setcacheratio(nodes_per_cache_entry);
    for (Replacement& one : replacements_) {
      one.pair = bdd_newpair();
      if (one.pair == nullptr) record_error(BDD_MEMORY);
    }
    refuse_errors();
  }

  std::vector<int> conjoined_;
  int conjunction_ = 1;
  struct Replacement {
    std::vector<int> renamed;
    bddPair* pair = nullptr;
  };
  std::array<Replacement, 2> replacements_;
  std::size_t latest_ = 0;
};

/// The diagram that `operation(diagrams)` makes, kept from being collected.
template <class Operation>
int kept(Operation operation) {
  Diagrams& diagrams = Diagrams::shared();
  const std::lock_guard lock(diagrams.mutex);
  const int made = operation(diagrams);
  Diagrams::refuse_errors();
  return bdd_addref(made);
}

template <class Question>
auto asked(Question question) {
  const std::lock_guard lock(Diagrams::shared().mutex);
  return question();
}

int keep(int node) noexcept {
  return node <= 1 ? node : asked([&] { return bdd_addref(node); });
}

int combined(int a, int b, int operation) {
  return kept([&](Diagrams&) { return bdd_apply(a, b, operation); });
}

}  // namespace

DiagramLimit::DiagramLimit(long long nodes) noexcept : before_(NodesAllowed::shared().of_this_thread()) {
  NodesAllowed::shared().limit_this_thread(std::min(nodes, before_));
}

DiagramLimit::~DiagramLimit() { NodesAllowed::shared().limit_this_thread(before_); }

void release_mode_sets() noexcept { delete Diagrams::made().exchange(nullptr); }

ModeSet::ModeSet(const ModeSet& other) noexcept : node_(keep(other.node_)) {}

ModeSet::ModeSet(ModeSet&& other) noexcept : node_(std::exchange(other.node_, 0)) {}

ModeSet& ModeSet::operator=(const ModeSet& other) noexcept { return *this = ModeSet(other); }

ModeSet& ModeSet::operator=(ModeSet&& other) noexcept {
  std::swap(node_, other.node_);
  return *this;
}

ModeSet::~ModeSet() {
  if (node_ > 1) asked([&] { return bdd_delref(node_); });
}

ModeSet ModeSet::all() noexcept { return ModeSet(Owned{1}); }

ModeSet ModeSet::where(int variable) {
  return ModeSet(Owned{kept([&](Diagrams&) {
    if (variable >= 0) Diagrams::make_variables(variable + 1);
    return bdd_ithvar(variable);
  })});
}

ModeSet operator&(const ModeSet& a, const ModeSet& b) {
  if (a.node_ == b.node_ || a.empty() || b.is_all()) return a;
  if (b.empty() || a.is_all()) return b;
  return ModeSet(ModeSet::Owned{combined(a.node_, b.node_, bddop_and)});
}

ModeSet operator|(const ModeSet& a, const ModeSet& b) {
  if (a.node_ == b.node_ || a.is_all() || b.empty()) return a;
  if (b.is_all() || a.empty()) return b;
  return ModeSet(ModeSet::Owned{combined(a.node_, b.node_, bddop_or)});
}

ModeSet operator-(const ModeSet& a, const ModeSet& b) {
  if (a.node_ == b.node_ || a.empty() || b.is_all()) return {};
  if (b.empty()) return a;
  return ModeSet(ModeSet::Owned{combined(a.node_, b.node_, bddop_diff)});
}

ModeSet operator!(const ModeSet& a) {
  if (a.is_constant()) return ModeSet(ModeSet::Owned{1 - a.node_});
  return ModeSet(ModeSet::Owned{kept([&](Diagrams&) { return bdd_not(a.node_); })});
}

ModeSet& ModeSet::operator&=(const ModeSet& other) { return *this = *this & other; }
ModeSet& ModeSet::operator|=(const ModeSet& other) { return *this = *this | other; }
ModeSet& ModeSet::operator-=(const ModeSet& other) { return *this = *this - other; }

ModeSet ModeSet::within(const ModeSet& care) const {
  if (is_constant() || care.is_all()) return *this;
  if (node_ == care.node_) return all();
  return ModeSet(Owned{kept([&](Diagrams&) { return bdd_simplify(node_, care.node_); })});
}

ModeSet ModeSet::exists(std::span<const int> variables) const {
  if (is_constant() || variables.empty()) return *this;
  return ModeSet(
      Owned{kept([&](Diagrams& diagrams) { return bdd_exist(node_, diagrams.conjunction(variables)); })});
}

ModeSet ModeSet::with(int variable, bool value) const {
  if (is_constant()) return *this;
  return ModeSet(Owned{kept([&](Diagrams&) {
    if (variable >= bdd_varnum()) return node_;
    return bdd_restrict(node_, value ? bdd_ithvar(variable) : bdd_nithvar(variable));
  })});
}

ModeSet ModeSet::renamed(std::span<const int> renamed) const {
  if (is_constant() || renamed.empty()) return *this;
  return ModeSet(
      Owned{kept([&](Diagrams& diagrams) { return bdd_replace(node_, diagrams.replacement(renamed)); })});
}

bool ModeSet::contains(const std::function<bool(int)>& value_of) const {
  // Whatever is below this set lives as long as it does. `value_of` may itself use sets.
  int node = node_;
  while (node > 1) {
    const bool value = value_of(asked([&] { return bdd_var(node); }));
    node = asked([&] { return value ? bdd_high(node) : bdd_low(node); });
  }
  return node == 1;
}

std::vector<int> ModeSet::support() const {
  // bdd_support() of BuDDy 2.4 loses its table of variables whenever there are more of them than before.
  std::vector<int> variables, open{node_};
  std::unordered_set<int> seen{node_};
  asked([&] {
    while (!open.empty()) {
      const int node = open.back();
      open.pop_back();
      if (node <= 1) continue;
      variables.push_back(bdd_var(node));
      for (const int below : {bdd_low(node), bdd_high(node)})
        if (seen.insert(below).second) open.push_back(below);
    }
  });
  std::ranges::sort(variables);
  variables.erase(std::unique(variables.begin(), variables.end()), variables.end());
  return variables;
}

int ModeSet::size() const {
  return is_constant() ? 0 : asked([&] { return bdd_nodecount(node_); });
}

int ModeSet::variable() const {
  return asked([&] { return bdd_var(node_); });
}

ModeSet ModeSet::low() const {
  return ModeSet(Owned{kept([&](Diagrams&) { return bdd_low(node_); })});
}

ModeSet ModeSet::high() const {
  return ModeSet(Owned{kept([&](Diagrams&) { return bdd_high(node_); })});
}

}  // namespace mti
