"""Between a game's values and the protobuf bytes that a record keeps."""
