"""LeoChat's page in a real browser, against the real backend with the demo model."""
