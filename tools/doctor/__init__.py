"""What `shiji doctor` looks at."""
