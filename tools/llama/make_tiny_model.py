"""Writes a llama model of some 350 KB with random weights and one token for each byte and some whole characters.

It knows nothing. A server that holds answers to a JSON Schema by grammar turns its noise into valid documents, with odd
white space, escapes, numbers and characters: what a reader of model answers has to cope with.
Usage: make_tiny_model.py OUT.gguf
"""

import sys

import gguf
import numpy as np

WIDTH, FEED_FORWARD, HEADS, CONTEXT = 64, 128, 4, 8192
UNKNOWN, CONTROL, BYTE, NORMAL = 2, 3, 6, 1
FOREIGN = "éßøłşλЖשمहあ漢한😀\u2028\u00a0"
TEMPLATE = "{% for m in messages %}{{ m['role'] }}: {{ m['content'] }}\n{% endfor %}assistant:"


def vocabulary() -> tuple[list[bytes], list[float], list[int]]:
    special = [(b"<unk>", 0.0, UNKNOWN), (b"<s>", 0.0, CONTROL), (b"</s>", 0.0, CONTROL)]
    raw = [(f"<0x{value:02X}>".encode(), 0.0, BYTE) for value in range(256)]
    readable = [bytes([value]) for value in range(33, 127)] + [character.encode() for character in "\u2581" + FOREIGN]
    text = [(token, -float(rank), NORMAL) for rank, token in enumerate(readable)]
    tokens, scores, kinds = zip(*(special + raw + text))
    return list(tokens), list(scores), list(kinds)


def write(path: str) -> None:
    random = np.random.default_rng(7)
    tokens, scores, kinds = vocabulary()
    out = gguf.GGUFWriter(path, "llama")
    out.add_name("tiny-random")
    out.add_context_length(CONTEXT)
    out.add_embedding_length(WIDTH)
    out.add_block_count(1)
    out.add_feed_forward_length(FEED_FORWARD)
    out.add_head_count(HEADS)
    out.add_head_count_kv(HEADS)
    out.add_layer_norm_rms_eps(1e-5)
    out.add_rope_dimension_count(WIDTH // HEADS)
    out.add_vocab_size(len(tokens))
    out.add_file_type(0)
    out.add_tokenizer_model("llama")
    out.add_token_list(tokens)
    out.add_token_scores(scores)
    out.add_token_types(kinds)
    out.add_unk_token_id(0)
    out.add_bos_token_id(1)
    out.add_eos_token_id(2)
    out.add_chat_template(TEMPLATE)

    ones = np.ones(WIDTH, np.float32)

    def random_weights(rows: int, columns: int) -> np.ndarray:
        return (random.standard_normal((rows, columns)) * 0.05).astype(np.float32)

    def noise(name: str, rows: int, columns: int) -> None:
        out.add_tensor(name, random_weights(rows, columns))

    # The first dimension is the same for every token, so that an output weight there works as a bias: single bytes are
    # never drawn, they would make broken UTF-8, and the quote is drawn more often than others, so that texts end.
    embedding = random_weights(len(tokens), WIDTH)
    embedding[:, 0] = 0.5
    output = random_weights(len(tokens), WIDTH)
    output[:, 0] = 0
    output[[index for index, kind in enumerate(kinds) if kind == BYTE and index >= 3 + 128], 0] = -3
    output[tokens.index(b'"'), 0] = 0.35
    out.add_tensor("token_embd.weight", embedding)
    out.add_tensor("output_norm.weight", ones)
    out.add_tensor("output.weight", output)
    out.add_tensor("blk.0.attn_norm.weight", ones)
    out.add_tensor("blk.0.ffn_norm.weight", ones)
    for part in ("attn_q", "attn_k", "attn_v", "attn_output"):
        noise(f"blk.0.{part}.weight", WIDTH, WIDTH)
    noise("blk.0.ffn_gate.weight", FEED_FORWARD, WIDTH)
    noise("blk.0.ffn_up.weight", FEED_FORWARD, WIDTH)
    noise("blk.0.ffn_down.weight", WIDTH, FEED_FORWARD)

    out.write_header_to_file()
    out.write_kv_data_to_file()
    out.write_tensors_to_file()
    out.close()


write(sys.argv[1])
