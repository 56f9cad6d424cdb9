import math

out = open('stock.par', 'w')
for age in range(200):
    growth = 60 * (1 - math.exp(-0.02 * age))
    out.write('%d %.6f %.6f %.6f\n' % (age, growth, 0.15 + 0.3 * math.exp(-age / 20), 1 / (1 + math.exp(10 - age / 5))))
out.close()
