"""Local API Gateway: serves the routes, authorizer and functions of template.yaml over HTTP.

It has no route, rule or identity logic of its own; the deployed functions handle the requests.
"""
