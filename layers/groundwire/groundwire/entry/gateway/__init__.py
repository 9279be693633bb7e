"""A local API Gateway: the routes, the authorizer and the functions that template.yaml names, over real HTTP.

It has no route, no rule and no identity logic of its own. What answers is the functions that are deployed.
"""
