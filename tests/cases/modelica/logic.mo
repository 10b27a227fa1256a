model logic "Conditions joined by Boolean operators"
  Real x(start = 0, fixed = true), y(start = 3, fixed = true), w(start = 0, fixed = true);
  Boolean a = x > 1, b = y < 1, both, one, none;
equation
  der(x) = 1;
  der(y) = -1;
  both = a and b;
  one = (a or b) and not both;
  none = not (a or b);
  der(w) = (if both then 100 else 0) + (if one then 10 else 0) + (if none then 1 else 0);
  annotation(experiment(StopTime = 4));
end logic;
