model bouncing_ball_with_two_conditions "The condition of the Reference FMUs: on the floor and falling"
  parameter Real g = -9.81, e = 0.7;
  Real h(start = 1, fixed = true), v(start = 0, fixed = true);
equation
  der(h) = v;
  der(v) = g;
  when h <= 0 and v < 0 then
    reinit(v, -e*v);
  end when;
  annotation(experiment(StopTime = 1.5));
end bouncing_ball_with_two_conditions;
