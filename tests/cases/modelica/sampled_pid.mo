model sampled_pid "A sampled PI controller whose output is limited and whose integral stands still where it is"
  parameter Real period = 0.25, Kp = 3, Ki = 1, set = 1, limit = 1.5;
  Real x(start = 0, fixed = true);
  discrete Real u(start = 0, fixed = true), I(start = 0, fixed = true);
equation
  der(x) = u - x;
  when sample(0, period) then
    I = if abs(pre(I) + Kp*(set - x)) < limit then pre(I) + period*Ki*(set - x) else pre(I);
    u = max(-limit, min(limit, Kp*(set - x) + I));
  end when;
  annotation(experiment(StopTime = 2.1));
end sampled_pid;
