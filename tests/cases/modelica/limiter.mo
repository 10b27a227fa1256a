model limiter "What is cut off a sine"
  Real x, y, q(start = 0, fixed = true), d(start = 0, fixed = true);
equation
  x = 2*sin(time);
  y = if x > 1 then 1 elseif x < -1 then -1 else x;
  der(q) = y;
  der(d) = smooth(0, noEvent(abs(x - y)));
  annotation(experiment(StopTime = 6));
end limiter;
