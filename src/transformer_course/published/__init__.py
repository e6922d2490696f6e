"""Published models: GPT-2, Marian and Llama in the modules of the course, and their files."""
