"""The providers: one file for each wire protocol, a table of vendors, one retry layer, one breaker."""
