model sampled_set_point "A set point that steps where a sample is due, seen through an algebraic variable"
  parameter Real period = 0.5;
  Real r = if time < 1 then 0 elseif time < 1.3 then 1 else 3;
  Real x(start = 0, fixed = true), e;
  discrete Real u(start = 0, fixed = true);
equation
  e = r - x;
  der(x) = u - x;
  when sample(0, period) then
    u = 2*e;
  end when;
  annotation(experiment(StopTime = 2.2));
end sampled_set_point;
