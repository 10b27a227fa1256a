#include "io/plans/plan_values.hpp"

namespace mti::json {

Overrides read_plan_values(ObjectReader& owner) {
  Overrides values;
  const Value* set = owner.find("set");
  if (set == nullptr) return values;
  ObjectReader members(*set, owner.pointer_to("set"), owner.faults());
  if (!members.is_object()) return values;
  for (const Member& member : *set->object())
    if (const auto value = members.plain_number(member.key)) values.emplace_back(member.key, *value);
  return values;
}

}  // namespace mti::json
