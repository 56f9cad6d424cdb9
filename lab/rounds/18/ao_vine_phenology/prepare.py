# Daily temperatures of vineyards and the dates of budburst, flowering and veraison noted there.
import numpy as np

rng = np.random.default_rng(31)
SITES, YEARS, DAYS = 36, 24, 365
day = np.arange(DAYS)
season = 11.5 - 10.5 * np.cos(2 * np.pi * (day - 18) / DAYS)
site = rng.normal(0, 1.6, (SITES, 1, 1))
year = rng.normal(0, 0.9, (1, YEARS, 1))
noise = rng.normal(0, 3.1, (SITES, YEARS, DAYS))
mean = (season + site + year + noise).astype(np.float32)
swing = (5.5 + rng.normal(0, 0.8, mean.shape)).astype(np.float32)
np.savez("climate.npz", low=mean - swing, high=mean + swing)
stages = np.stack([104 - 4 * (site + year)[:, :, 0], 162 - 5 * (site + year)[:, :, 0], 222 - 5 * (site + year)[:, :, 0]])
np.save("stages.npy", stages + rng.normal(0, 2.5, stages.shape))
