"""What the comparisons share: how sure a median over rounds is."""
import random
import statistics


def interval(values, draws=2000):
    """The 95 % bootstrap interval of the median."""
    generator = random.Random(1)
    medians = sorted(
        statistics.median(generator.choices(values, k=len(values))) for _ in range(draws))
    return medians[int(draws * 0.025)], medians[int(draws * 0.975)]
