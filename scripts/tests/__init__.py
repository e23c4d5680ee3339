"""The promises of `scripts/tournament`, kept with engines that misbehave on purpose."""
