"""Zhanguo: The First Empire, by Marco Canetta and Stefania Niccolini."""
