model sampled_controller "A lag and a controller that looks at it twice in a second"
  parameter Real period = 0.5, gain = 2, set = 1;
  Real x(start = 0, fixed = true), y;
  discrete Real u(start = 0, fixed = true);
equation
  y = x;
  der(x) = u - x;
  when sample(0, period) then
    u = gain*(set - y);
  end when;
  annotation(experiment(StopTime = 2.2));
end sampled_controller;
