model latch "What has been too hot stays off, until a reset"
  Real x, y(start = 0, fixed = true);
  Boolean tripped(start = false, fixed = true), reset;
equation
  x = 2*sin(time);
  reset = if time < 5 then false elseif time < 5.5 then true else false;
  tripped = (x > 1 or pre(tripped)) and not reset;
  der(y) = if tripped then 0 else 1;
  annotation(experiment(StopTime = 6));
end latch;
