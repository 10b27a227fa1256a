model pi_anti_windup "A PI controller with back calculation before a lag"
  parameter Real Kp = 2, Ki = 1, Kt = 4, limit = 1;
  parameter Real r = 0.8;
  Real x(start = 0, fixed = true), I(start = 0, fixed = true);
  Real e, v, u;
equation
  e = r - x;
  v = Kp*e + I;
  u = max(-limit, min(limit, v));
  der(I) = Ki*e + Kt*(u - v);
  der(x) = -x + u;
  annotation(experiment(StopTime = 5));
end pi_anti_windup;
