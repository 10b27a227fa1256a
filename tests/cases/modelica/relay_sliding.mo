model relay_sliding "A relay holds a state at zero"
  Real x(start = 1, fixed = true), w(start = 0, fixed = true);
equation
  der(x) = if x > 0 then -2 else 2;
  der(w) = x;
  annotation(experiment(StopTime = 2));
end relay_sliding;
