"""Actions of the operator, and the AWS Lambda function without a route that executes them for whoever may invoke it."""
