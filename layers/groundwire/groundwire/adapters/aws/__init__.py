"""Ports on AWS services; the only package that imports boto3."""
