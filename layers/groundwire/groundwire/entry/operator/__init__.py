"""What only an operator does, as an AWS Lambda function without a route: whoever may invoke it is the operator."""
