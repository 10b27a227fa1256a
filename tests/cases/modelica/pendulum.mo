model pendulum
  Real phi(start = 2, fixed = true, unit = "rad"), w(start = 0, fixed = true, unit = "rad/s");
equation
  der(phi) = w;
  der(w) = -sin(phi);
  annotation(experiment(StopTime = 10));
end pendulum;
