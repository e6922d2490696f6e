"""What the tasks of exercise 16 share."""

UNIT = "images_and_words"
READY_MADE = ("multi_head_attention_forward", "_transformer_encoder_layer_fwd")
