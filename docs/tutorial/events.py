import json, sys

for event in json.load(open(sys.argv[1] + "/events.json")):
    changes = [f"{name} {before} -> {after}" for name, (before, after) in event["changed"].items()]
    print(f"t = {event['time']:.6f}  {event['kind']}:", *changes)
    for candidate in event.get("explanation", []):
        print("  judged", candidate["changed"], "-", candidate["why"])
        for row in candidate["rows"]:
            orders = [value if abs(value) > epsilon else 0 for value, epsilon in row["numbers"]]
            print("   ", row["constraint"], *(f"{order:.3g}" for order in orders))
