"""The workbench: game trees in the browser, on this machine. `server.serve` starts it; no lower layer knows of it."""
