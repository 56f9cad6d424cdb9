# R: results appended one by one, the file opened for each.
for (step in 1:20000) {
  cat(step, sqrt(step), "\n", file = "results.txt", append = TRUE)
}
