model toggle "A Boolean variable that each rising edge turns"
  Boolean even(start = true, fixed = true);
  Real x(start = 0, fixed = true), w(start = 0, fixed = true);
  Boolean high = x > 0.5;
equation
  der(x) = cos(time);
  der(w) = if even then 1 else 0;
  when high then
    even = not pre(even);
  end when;
  annotation(experiment(StopTime = 14));
end toggle;
