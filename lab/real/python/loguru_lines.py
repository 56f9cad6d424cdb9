"""A line of log per step, each sent at once (loguru)."""

from loguru import logger

logger.remove()
logger.add("run.log", format="{time} {level} {message}")
for step in range(60_000):
    logger.info("step {} residual {}", step, 1 / (step + 1))
