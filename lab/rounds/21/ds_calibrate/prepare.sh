mkdir -p cond raw
for r in $(seq 1 64); do
  echo "$r $((r * 7 % 13)).$((r % 10)) 1.0$((r * 3 % 97))" > cond/run_$r.txt
done
cat > getcond.sh <<'X'
#!/bin/sh
# conditions client: getcond.sh RUN -> run, pedestal, gain
# (the broker hands out a session before it answers)
sleep 0.03
cat cond/run_$1.txt
X
