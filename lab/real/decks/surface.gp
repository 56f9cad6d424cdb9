# gnuplot: a hidden-line surface, forty frames.
set terminal svg
set isosamples 60
set hidden3d
do for [frame = 1:40] {
  set output sprintf("frame%02d.svg", frame)
  splot sin(x * frame / 10.0) * cos(y)
}
