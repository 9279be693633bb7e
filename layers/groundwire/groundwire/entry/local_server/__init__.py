"""HTTP server of one machine: sockets, threads, uploads."""
