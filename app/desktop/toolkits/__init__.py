"""What each system's web view needs to be told beyond what pywebview does: one file for each, and which one is there."""
