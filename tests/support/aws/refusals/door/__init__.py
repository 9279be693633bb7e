"""Proxy in front of the emulator: what AWS refuses is answered as AWS answers it, and does not reach the emulator."""
