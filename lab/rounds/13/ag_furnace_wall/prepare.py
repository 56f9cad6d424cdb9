with open("steer.inp", "w") as f:
    f.write(" 1180.0  0.35  0\n")
    f.write(" SETPOINT (C), GAIN, STOP FLAG - MAY BE EDITED WHILE THE JOB RUNS\n")
