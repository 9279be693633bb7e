"""Where the outside meets the services: Lambda handlers, the local gateway, the command line."""
