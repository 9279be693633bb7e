"""Operator actions as an AWS Lambda function without a route: permission to invoke it makes a caller the operator."""
