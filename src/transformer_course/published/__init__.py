"""Published models in the modules of the course: GPT-2, Marian, Llama and BERT, their files, and talking with them."""
