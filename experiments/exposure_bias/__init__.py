"""Does it help to practise on one's own words? Scheduled sampling, `python -m experiments.exposure_bias`."""
