"""What the commands say about files, proofs and checkpoints."""
