% Octave: a dense system, solved and saved.
rand("seed", 1);
a = rand(700) + 700 * eye(700);
for step = 1:8
  x = a \ rand(700, 1);
end
save("-text", "x.txt", "x");
