"""Installers of the engines, and the folders that keep what they install."""
