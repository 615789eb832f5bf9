"""One module a command, named like it; each holds a click command called `command`."""
