import csv, sys

with open(sys.argv[1] + "/trajectory.csv") as file:
    rows = [(float(row["time"]), float(row["uC"])) for row in csv.DictReader(file)]
last_period = [uC for time, uC in rows if time >= rows[-1][0] - 0.02]
print(f"uC between {min(last_period):.3f} V and {max(last_period):.3f} V")
