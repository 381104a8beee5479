"""Demo servers: each package exports `create(config)` and `ABOUT`; the modules beside them are shared by the demos."""
