"""What a request costs a server, beside the least that it could cost and what one would pick instead."""
