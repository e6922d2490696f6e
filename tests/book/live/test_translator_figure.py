"""The translator in the page, as a reader uses it: typed, pointed at, dragged, switched, by keyboard and mouse."""

import pytest
import torch

from experiments.page_translator.page_weights import read_page_weights
from transformer_course.common.tokens import BOS
from transformer_course.interpret.interventions import weights_changed

EXPECTED = dict(  # by hand, with the rules of the language
    line.split(" | ")
    for line in """\
the cat looks for an apple . | Le chat cherche une pomme.
the women who love my hats will not go to the market . | Les femmes qui aiment mes chapeaux n'iront pas au marché.
does your old uncle sing ? | Est-ce que votre vieil oncle chante ?
Emma never found the green key . | Emma n'a jamais trouvé la clé verte.
an elephant with a red hat fell behind the church . | Un éléphant avec un chapeau rouge est tombé derrière l'église.
why did the king open these big doors ? | Pourquoi est-ce que le roi a ouvert ces grandes portes ?
we love the songs that the queen always sings . | Nous aimons les chansons que la reine chante toujours.
she will give an apple to the small boy . | Elle donnera une pomme au petit garçon.""".splitlines()
)


@pytest.fixture(scope="module")
def translator(root):
    return read_page_weights(root / "book" / "_static" / "live")


@pytest.fixture
def figure(visit):
    page = visit("translator-figure", reduced_motion="reduce")
    return page.locator("translator-figure")


def sentence(figure) -> str:
    return figure.locator(".tr-sentence").inner_text()


def shows(figure, text: str) -> None:
    figure.page.wait_for_function("text => document.querySelector('.tr-sentence').innerText === text", arg=text)


def translate(figure, text: str) -> None:
    figure.get_by_label("English").fill(text)
    figure.get_by_label("English").press("Enter")
    figure.page.wait_for_function("() => globalThis.courseTranslator")


def test_before_the_first_touch_it_shows_python_s_translation_and_loads_no_model(figure):
    assert sentence(figure) == EXPECTED["the cat looks for an apple ."]
    assert figure.page.locator("script[src*='translator-weights']").count() == 0


def test_another_one_goes_through_examples_that_it_translates_rightly(figure):
    for text, french in [*EXPECTED.items()][1:]:
        figure.get_by_role("button", name="Another one").click()
        shows(figure, french)
        assert figure.get_by_label("English").input_value() == text


def test_english_as_one_types_it(figure):
    translate(figure, "Emma's dog doesn't see the CAT")
    shows(figure, "Le chien d'Emma ne voit pas le chat.")
    assert figure.locator(".tr-unknown").inner_text() == ""


def test_words_that_it_knows_are_offered_and_others_are_named(figure):
    field = figure.get_by_label("English")
    field.fill("the zebra sees a hed")
    offer = figure.get_by_role("button", name="hedgehog", exact=True)
    offer.wait_for()
    assert "“zebra”" in figure.locator(".tr-unknown").inner_text()
    field.press("ArrowDown")
    figure.page.keyboard.press("Enter")  # the offer has the focus
    assert field.input_value().startswith("the zebra sees a hedgehog")
    assert "hedgehog" not in figure.locator(".tr-unknown").inner_text()
    translate(figure, "the " * 30)
    assert "At most 24 words" in figure.locator(".tr-unknown").inner_text()


def test_a_weight_pulled_by_keyboard_or_mouse_changes_the_words_as_in_torch(figure, translator):
    figure.get_by_role("button", name="French word 4").click()
    bar = figure.get_by_role("slider", name="weight of “cat”")
    bar.focus()
    for _ in range(10):
        figure.page.keyboard.press("ArrowRight")
    assert bar.get_attribute("aria-valuenow") == "100"
    source = translator.source([["the", "cat", "looks", "for", "an", "apple", "."]])
    target = torch.tensor([[BOS, *translator.target_vocabulary.encode(["le", "chat", "cherche"])]])
    words = translator.target_vocabulary.words
    attention = translator.model.decoder_blocks[1].cross_attention

    def look_at_cat(weights):
        weights = weights.clone()
        weights[0, 3, 3] = torch.eye(8, dtype=weights.dtype)[1]  # head 3, position 3, the second of 8 source tokens
        return weights

    with torch.no_grad():
        plain = translator.model(source, target)[0, -1]
        with weights_changed(attention, look_at_cat):
            expected = translator.model(source, target)[0, -1]
    assert (words[int(plain.argmax())], words[int(expected.argmax())]) == ("une", "un")
    figure.page.wait_for_function("() => /^un\\s/.test(document.querySelector('.tr-chances li.tr-said').innerText)")
    first = figure.locator(".tr-chances li").first
    assert f"{100 * expected.softmax(-1).max():.0f} %" in first.inner_text()
    figure.get_by_role("button", name="undo all").click()
    shows(figure, EXPECTED["the cat looks for an apple ."])
    figure.get_by_role("button", name="French word 4").click()
    box = bar.bounding_box()
    figure.page.mouse.move(box["x"] + 8, box["y"] + box["height"] / 2)
    figure.page.mouse.down()
    figure.page.mouse.move(box["x"] + box["width"] - 2, box["y"] + box["height"] / 2, steps=5)
    figure.page.mouse.up()
    assert bar.get_attribute("aria-valuenow") == "100"


def test_another_word_can_be_chosen_and_it_goes_on_from_there(figure):
    figure.get_by_role("button", name="French word 1").click()
    figure.locator(".tr-chances button").nth(1).click()
    chosen = figure.locator(".tr-chances li").nth(1).inner_text().split()[0]
    figure.page.wait_for_function(
        "word => document.querySelector('.tr-word').innerText === word && document.querySelector('.tr-said')",
        arg=chosen,
    )
    assert sentence(figure).lower().startswith(chosen)


@pytest.mark.parametrize("switch", ["positions", "1/√dₖ", "causal mask", "one head", "one residual"])
def test_a_switch_asks_for_a_guess_then_says_what_changed_and_can_be_put_back(figure, switch):
    press = figure.locator(".tr-switches button", has_text=switch)
    press.click()
    panel = figure.locator(".tr-panel")
    assert "Guess first" in panel.inner_text()
    assert press.get_attribute("aria-pressed") == "false"
    panel.get_by_role("button", name="none").click()
    panel.get_by_role("button", name="put it back").wait_for()
    assert press.get_attribute("aria-pressed") == "true"
    text = panel.inner_text()
    changed = sentence(figure) != EXPECTED["the cat looks for an apple ."]
    assert ("You said so" in text) == ("No word changed" in text) == (not changed)
    assert panel.get_by_role("link").get_attribute("href").startswith("#")
    panel.get_by_role("button", name="put it back").click()
    shows(figure, EXPECTED["the cat looks for an apple ."])
    assert press.get_attribute("aria-pressed") == "false"


def test_a_word_that_stays_is_told_with_the_probability_that_it_lost(figure):
    figure.locator(".tr-switches button", has_text="one head").click()
    figure.get_by_role("button", name="just show me").click()
    said = figure.locator(".tr-chances .tr-said small")
    figure.page.wait_for_function("() => document.querySelector('.tr-said small').innerText !== '100 %'")
    assert (
        f"No word changed, but “une” fell from 100 % to {said.inner_text()}."
        in figure.locator(".tr-panel").inner_text()
    )


def test_without_the_mask_lines_go_to_later_words(figure):
    figure.locator(".tr-switches button", has_text="causal mask").click()
    figure.get_by_role("button", name="just show me").click()
    figure.locator(".tr-panel").get_by_role("button", name="put it back").wait_for()
    figure.get_by_role("button", name="French word 2").click()
    assert figure.locator(".tr-left li").count() == 7
    assert figure.locator(".tr-left li.tr-hidden").count() == 0
    assert figure.locator(".tr-left [role=slider]").count() == 0


def test_a_beam_shows_its_hypotheses_and_a_draw_can_be_repeated(figure):
    figure.get_by_label("write", exact=True).select_option("with a beam")
    figure.locator(".tr-beam li").nth(3).wait_for()
    assert figure.locator(".tr-beam li").first.inner_text().startswith("le chat cherche une pomme .")
    figure.get_by_label("write", exact=True).select_option("by sampling")
    figure.page.wait_for_function("() => document.querySelector('.tr-beam').hidden")
    figure.get_by_label("temperature").fill("3")
    before = sentence(figure)
    for _ in range(3):
        figure.get_by_role("button", name="draw again").click()
        figure.page.wait_for_timeout(150)
    assert sentence(figure) != before


def test_a_head_reports_on_another_sentence(figure):
    figure.get_by_role("button", name="Patch the chosen head").click()
    said = figure.locator(".tr-patch p")
    figure.page.wait_for_function("() => document.querySelector('.tr-patch p').innerText.includes('reports on')")
    assert "Head 3 of layer 1" in said.inner_text()
    figure.get_by_role("button", name="layer 1, head 0").click()
    figure.page.wait_for_function("() => document.querySelector('.tr-patch p').innerText.includes('Head 0')")
    figure.locator(".tr-patch").get_by_role("button", name="put it back").click()
    shows(figure, EXPECTED["the cat looks for an apple ."])


def test_the_words_of_the_translation_are_one_stop_of_the_tab_key(figure):
    word = figure.get_by_role("button", name="French word 4")
    word.focus()
    figure.page.keyboard.press("ArrowUp")
    assert figure.page.evaluate("document.activeElement.innerText") == "cherche"
    assert figure.locator(".tr-word[tabindex='0']").count() == 1
