"""Where entries are stored: the contract and its engines. Start at contract.py."""
