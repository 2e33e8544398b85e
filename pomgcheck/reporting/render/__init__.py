"""Writes blocks as text, Markdown, HTML, LaTeX and PDF."""
