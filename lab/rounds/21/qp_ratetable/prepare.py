import numpy as np
lt = np.linspace(0, 4, 2000)
chi = np.array([11.3, 24.4, 47.9, 64.5, 392.1, 490.0])
T = 10 ** lt
ion = np.array([20 * np.exp(-c / T) * np.sqrt(T / c) / (1 + T / c) for c in chi])
rec = np.array([2.0 * (q + 1) * T ** -0.5 for q in range(6)])
with open("carbon.rates", "wb") as f:
    ion.astype("<f8").tofile(f)
    rec.astype("<f8").tofile(f)
