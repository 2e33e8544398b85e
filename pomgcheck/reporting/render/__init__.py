"""Blocks as text, Markdown, HTML, LaTeX and PDF."""
