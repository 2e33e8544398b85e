"""Draws regret, sweeps, experiments and game trees, as SVG and PNG."""
