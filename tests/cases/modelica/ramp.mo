model ramp "A known function of time in pieces, and a rectangle from two comparisons"
  parameter Real t1 = 1, t2 = 3, height = 2;
  Real u = if time < t1 then 0 elseif time < t2 then height*(time - t1)/(t2 - t1) else height;
  Boolean on = if time >= 0.5 and time < 2.5 then true else false;
  Real q(start = 0, fixed = true), p(start = 0, fixed = true);
equation
  der(q) = u;
  der(p) = if on then u else 0;
  annotation(experiment(StopTime = 4));
end ramp;
