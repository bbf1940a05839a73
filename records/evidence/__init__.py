"""What makes a record evidence: signatures, sealed orders, Merkle proofs and checkpoints. Pure."""
