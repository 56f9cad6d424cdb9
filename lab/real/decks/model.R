# R: a linear model of a table.
data <- read.csv("table.csv")
fit <- lm(temperature ~ wind + rain + station, data = data[1:20000, ])
write.csv(coef(summary(fit)), "fit.csv")
