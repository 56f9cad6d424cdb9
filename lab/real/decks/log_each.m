% Octave: a line per step, flushed so that the file can be watched.
out = fopen("progress.txt", "w");
for step = 1:40000
  fputs(out, "step done\n");
  fflush(out);
end
fclose(out);
