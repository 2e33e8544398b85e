"""Reads whatever authors write, and ends in a canonical model-class document."""

from pomgcheck.modelclass.builder import model_class
from pomgcheck.modelclass.document import load, varied
from pomgcheck.modelclass.model import ModelClass

__all__ = ["ModelClass", "load", "model_class", "varied"]
