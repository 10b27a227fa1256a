model bouncing_ball
  parameter Real g(unit = "m/s2") = 9.81, e(min = 0, max = 1) = 0.5;
  Real h(start = 1, fixed = true, unit = "m");
  Real v(start = 0, fixed = true, unit = "m/s");
equation
  der(h) = v;
  der(v) = -g;
  when h <= 0 then
    reinit(v, -e*pre(v));
  end when;
  annotation(experiment(StopTime = 1.25));
end bouncing_ball;
