"""What every SQLite file of one machine has in common: how it is opened, made, and told of when it fails."""
