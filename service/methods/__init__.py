"""The methods of the service, grouped by purpose. rpc.py lists which function answers which method."""
