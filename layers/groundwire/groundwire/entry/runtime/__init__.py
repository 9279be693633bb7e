"""Runtime of the handlers: cold start, warm-up, telemetry, audit records."""
