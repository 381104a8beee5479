"""The command line's verbs, one file each; imported only when they are used."""
