"""The numbers that live figures show, by keyboard, mouse and touch, against torch and the data."""

import math

import pytest
import torch
from torch.nn import functional as F

from drawings import live


def shown(page, selector: str) -> list[float]:
    """The numbers that the page shows in the elements, in order."""
    texts = page.locator(selector).all_text_contents()
    return [float(number) for text in texts for number in text.replace("−", "-").strip("()").split(",")]


def assert_shown(actual: list[float], expected, digits: int) -> None:
    """The page shows the expected numbers, rounded to so many digits."""
    expected = torch.as_tensor(expected, dtype=torch.float64)
    tolerance = 0.5001 * 10**-digits
    torch.testing.assert_close(torch.tensor(actual, dtype=torch.float64), expected, rtol=0, atol=tolerance)


def expected_attention(example, query, temperature):
    query, keys, values = torch.tensor([query], dtype=torch.float64), example.keys.double(), example.values.double()
    scale = 1 / math.sqrt(2) / temperature
    output = F.scaled_dot_product_attention(query[None], keys[None], values[None], scale=scale)[0, 0]
    weights = F.scaled_dot_product_attention(query[None], keys[None], torch.eye(5).double()[None], scale=scale)[0, 0]
    return keys @ query[0], keys @ query[0] * scale, weights, output


def assert_attention(page, example, query, temperature):
    products, scores, weights, output = expected_attention(example, query, temperature)
    assert_shown(shown(page, "td[data-name=dot]"), products, 2)
    assert_shown(shown(page, "td[data-name=score]"), scores, 2)
    assert_shown(shown(page, "td[data-name=weight]"), weights, 3)
    text = page.locator(".live-output").inner_text().split("(")[1].strip(")").replace("−", "-")
    assert_shown([float(x) for x in text.split(",")], output, 3)


def query_of(page) -> list[float]:
    text = page.locator(".live-handle").get_attribute("aria-valuetext")
    return [float(x) for x in text.replace("−", "-").strip("()").split(",")]


def test_scores_to_weights_by_keyboard(visit, example):
    page = visit("scores-to-weights")
    assert_attention(page, example, [1.2, 0.7], 1)
    page.locator(".live-handle").focus()
    for key in ["ArrowLeft", "ArrowLeft", "ArrowDown", "Shift+ArrowUp", "Shift+ArrowLeft"]:
        page.keyboard.press(key)
    assert query_of(page) == [0.5, 1.1]
    assert_attention(page, example, [0.5, 1.1], 1)
    page.get_by_label("temperature").focus()
    for _ in range(8):
        page.keyboard.press("ArrowLeft")
    assert_attention(page, example, [0.5, 1.1], 0.25)
    page.get_by_role("button", name="Start again").click()
    assert_attention(page, example, [1.2, 0.7], 1)


def test_scores_to_weights_stays_in_the_plane(visit):
    page = visit("scores-to-weights")
    page.locator(".live-handle").focus()
    for _ in range(9):
        page.keyboard.press("Shift+ArrowRight")
    assert query_of(page) == [2.0, 0.7]
    page.keyboard.press("Home")
    assert query_of(page) == [1.2, 0.7]


def test_scores_to_weights_by_mouse_and_by_touch(visit, example):
    page = visit("scores-to-weights", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)
    plane = page.locator("svg").first
    plane.scroll_into_view_if_needed()
    box = plane.bounding_box()
    middle = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    page.touchscreen.tap(middle[0] - box["width"] / 4, middle[1] + box["height"] / 4)  # the plane reaches from -2 to 2
    assert query_of(page) == pytest.approx([-1, -1], abs=0.03)
    page.mouse.move(middle[0] - box["width"] / 4, middle[1] + box["height"] / 4)
    page.mouse.down()
    page.mouse.move(middle[0] + 5, middle[1])
    page.mouse.move(middle[0], middle[1] - box["height"] / 8, steps=4)
    page.mouse.up()
    assert query_of(page) == pytest.approx([0, 0.5], abs=0.03)
    assert_attention(page, example, query_of(page), 1)


def drag_by_finger(page, start, end):
    session = page.context.new_cdp_session(page)
    for kind, points in [("touchStart", [start]), ("touchMove", [end]), ("touchMove", [end]), ("touchEnd", [])]:
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [{"x": x, "y": y} for x, y in points]})


def test_scores_to_weights_dragged_by_a_finger_does_not_scroll_the_page(visit):
    page = visit("scores-to-weights", viewport={"width": 390, "height": 500}, has_touch=True, is_mobile=True)
    page.locator(".live-handle").scroll_into_view_if_needed()
    box, before = page.locator("svg").first.bounding_box(), page.evaluate("scrollY")
    knob = page.locator(".live-knob").first.bounding_box()
    start = knob["x"] + knob["width"] / 2, knob["y"] + knob["height"] / 2
    drag_by_finger(page, start, (start[0], start[1] - box["height"] / 4))
    page.wait_for_timeout(100)
    assert query_of(page) == pytest.approx([1.2, 1.7], abs=0.06)
    assert page.evaluate("scrollY") == before


def test_scores_to_weights_with_values_that_have_no_picture(visit, write, example):
    write("narrow", live.scores_to_weights([1.2, 0.7], example.keys, example.values[:, :1]))
    page = visit("narrow")
    assert page.locator("svg").count() == 1
    assert_shown(shown(page, "td[data-name=weight]"), expected_attention(example, [1.2, 0.7], 1)[2], 3)


def slide(page, label: str, keys: str, times: int = 1) -> None:
    page.get_by_label(label, exact=True).focus()
    for _ in range(times):
        page.keyboard.press(keys)


def assert_jacobian(page, example, d_k, draw, n, temperature, divide):
    products = torch.tensor([float(f"{x:.4g}") for x in example.products[d_k][draw].tolist()], dtype=torch.float64)[:n]

    scores = products / (math.sqrt(d_k) if divide else 1) / temperature
    jacobian = torch.autograd.functional.jacobian(lambda x: F.softmax(x, dim=-1), scores)
    assert_shown(shown(page, ".live-half text"), F.softmax(scores, dim=-1), 3)
    for name, expected in (("Frobenius norm", jacobian.norm()), ("largest entry", jacobian.abs().max())):
        seen = shown(page, f"b[data-name='{name}']")[0]
        assert seen == pytest.approx(expected.item(), abs=0.5001e-5 if expected >= 1e-4 else 0, rel=5e-3)
    return jacobian


def test_softmax_jacobian_equals_autograd(visit, example):
    page = visit("softmax-jacobian")
    assert_jacobian(page, example, 256, 0, 8, 1, divide=True)
    page.get_by_label("divide by √d_k").uncheck()
    assert_jacobian(page, example, 256, 0, 8, 1, divide=False)
    slide(page, "d_k", "ArrowLeft", 2)
    slide(page, "keys n", "ArrowRight", 3)
    page.get_by_role("button", name="Another draw").click()
    slide(page, "temperature", "ArrowRight", 2)
    jacobian = assert_jacobian(page, example, 16, 1, 11, 2, divide=False)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowDown", "ArrowRight"]:
        page.keyboard.press(key)
    text = page.locator("p.live-status").inner_text()
    assert text.startswith("Weight 3 by score 2: ")
    assert float(text.split()[5].strip(".").replace("−", "-")) == pytest.approx(jacobian[2, 1].item(), abs=0.5001e-5)


def test_head_splitter_says_where_each_number_went(visit, example):
    page = visit("head-splitter", viewport={"width": 390, "height": 844}, has_touch=True, is_mobile=True)

    def places(value):
        found = [tuple((split == value).nonzero()[0].tolist()) for split in example.splits.values()]
        own_row = {place: ": its own row, another place" for place in found if place[1] == value // 10}
        endings = own_row | {found[0]: ": as above"}
        suffix = ["", *(endings.get(place, ": in another token's row") for place in found[1:])]
        return [f"{value} → head {h}, row {i}, column {j}{end}" for (h, i, j), end in zip(found, suffix, strict=True)]

    lines = page.locator(".live-where")
    assert lines.all_inner_texts() == places(14)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowLeft", "ArrowLeft", "ArrowLeft"]:
        page.keyboard.press(key)
    assert lines.all_inner_texts() == places(21)
    page.locator("svg").nth(2).locator(".live-cell").nth(7).tap()  # in x.view(2, 3, 4) the eighth number is 7
    assert lines.all_inner_texts() == places(7)
    assert page.locator(".live-chosen").count() == 1 + len(example.splits)


def test_attention_viewer_shows_the_weights_of_every_layer_and_head(visit, example):
    page = visit("attention-viewer")

    def shares(layer, head, row):
        seen = [int(text.split()[0]) for text in page.locator("small[data-name=share]").all_inner_texts()]
        assert seen == pytest.approx(
            (100 * example.weights[layer, head, row]).tolist(), abs=0.56
        )  # of 3 decimals, a percent

    shares(0, 0, 0)
    page.get_by_label("layer").select_option("1")
    page.get_by_label("head").select_option("2")
    shares(1, 2, 0)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowDown", "ArrowRight", "ArrowRight", "ArrowRight"]:
        page.keyboard.press(key)
    shares(1, 2, 2)
    share = f"{example.weights[1, 2, 2, 3]:.3f} of its attention on “Katze”"
    said = f"Layer 1, head 2: “cat” puts {share}; the gold alignment links the two."
    assert page.locator("p.live-status").inner_text() == said
    opacity = page.locator(".live-cells rect").evaluate_all("cells => cells.map(c => +c.getAttribute('fill-opacity'))")
    torch.testing.assert_close(
        torch.tensor(opacity), example.weights[1, 2].flatten(), rtol=0, atol=0.00056
    )  # rounded twice
    assert page.locator(".live-gold:not(.live-off)").count() == len(example.links)
    page.get_by_label("gold alignment").uncheck()
    assert page.locator(".live-gold:not(.live-off)").count() == 0
    page.locator(".live-cells rect").nth(4 * len(example.source) + 5).hover()
    assert "of its attention on “auf”" in page.locator("p.live-status").inner_text()


def test_beam_stepper_steps_forward_and_back(visit, example):
    page = visit("beam-stepper")
    back, forward = page.get_by_role("button", name="Back"), page.get_by_role("button", name="Next")
    assert back.is_disabled()
    for t, step in enumerate(example.steps):
        assert page.locator("tbody th").all_inner_texts() == [" ".join(tokens) for tokens, *_ in step]
        assert_shown(shown(page, "td[data-name=score]"), [score for _, score, _ in step], 3)
        verdicts = [("finished" if tokens[-1] == "</s>" else "kept") if kept else "cut" for tokens, _, kept in step]
        assert page.locator("tbody td:last-child").all_inner_texts() == verdicts
        shown_nodes = sum(len(earlier) for earlier in example.steps[: t + 1])
        assert page.locator("g:not(.live-off) > rect").count() == shown_nodes
        if t + 1 < len(example.steps):
            forward.click()
    assert forward.is_disabled()
    page.keyboard.press("ArrowLeft")  # the focus is still on the last button
    assert "Step 3 of 4" in page.locator("p.live-status").inner_text()
    page.get_by_role("button", name="First step").click()
    assert "Step 1 of 4: 3 candidates, 2 kept (beam width 2)." in page.locator("p.live-status").inner_text()


def assert_positions(page, p, q, dimension, d_model):
    position = torch.arange(40, dtype=torch.float64)[:, None]
    angle = position / 10_000 ** (torch.arange(0, d_model, 2, dtype=torch.float64) / d_model)
    table = torch.stack([angle.sin(), angle.cos()], dim=-1).flatten(1)  # (length, d_model)
    expected = [table[p, dimension], table[q, dimension], table[p] @ table[q], table[p] @ table[p]]
    assert_shown(shown(page, ".live-facts b"), torch.stack(expected), 3)


def test_position_explorer_equals_the_formula(visit):
    page = visit("position-explorer")
    assert_positions(page, 7, 12, 4, 16)
    page.locator(".live-matrix").focus()
    for key in ["ArrowDown", "ArrowRight", "ArrowRight"]:
        page.keyboard.press(key)
    assert_positions(page, 9, 12, 5, 16)
    assert page.get_by_label("position t", exact=True).input_value() == "9"
    slide(page, "position t′", "ArrowRight", 20)
    slide(page, "d_model", "ArrowRight", 1)
    assert_positions(page, 9, 32, 5, 32)
    slide(page, "d_model", "ArrowLeft", 3)
    assert_positions(page, 9, 32, 3, 4)  # a narrower encoding has no dimension 5: the last one is chosen
    page.locator(".live-cells rect").nth(1 * 40 + 3).click()
    assert_positions(page, 3, 32, 1, 4)


def test_picture_mover_shows_what_each_model_says_at_each_place(visit, example):
    page = visit("picture-mover")

    def shares(model, which, down, right):
        seen = [int(text.split()[0]) for text in page.locator("td[data-name=share]").all_inner_texts()]
        probabilities, attention = (x[which, 2 + down, 2 + right].flatten() for x in example.said[model])
        assert seen == pytest.approx((100 * probabilities).tolist(), abs=0.51)
        looks = page.locator(".live-look-cell").evaluate_all("all => all.map(c => +c.getAttribute('fill-opacity'))")
        # Hundredths, rounded before they are divided by the largest.
        expected = 0.9 * attention / attention.max()
        torch.testing.assert_close(torch.tensor(looks), expected, rtol=0, atol=0.06)

    shares("still", 0, 0, 0)
    page.locator(".live-picture").focus()
    for key in ["ArrowDown", "ArrowDown", "ArrowDown", "ArrowLeft"]:  # the third one is out of reach
        page.keyboard.press(key)
    shares("still", 0, 2, -1)
    page.get_by_label("trained on").select_option("1")
    page.get_by_label("digit", exact=True).select_option("1")
    shares("moved", 1, 2, -1)
    ink = page.locator(".live-picture .live-ink-cell").evaluate_all(
        "all => all.map(c => +c.getAttribute('fill-opacity'))"
    )
    expected = torch.nn.functional.pad(example.images[1], (-1, 1, 2, -2))
    torch.testing.assert_close(torch.tensor(ink).view(8, 8), expected, rtol=0, atol=0.0051)
    page.get_by_role("button", name="back").click()
    shares("moved", 1, 0, 0)
    box = page.locator(".live-picture").bounding_box()
    pixel = box["width"] / 8
    page.mouse.move(box["x"] + 4 * pixel, box["y"] + 4 * pixel)
    page.mouse.down()
    page.mouse.move(box["x"] + 5 * pixel, box["y"] + 3 * pixel)
    page.mouse.up()
    shares("moved", 1, -1, 1)
    assert "moved 1 up, 1 to the right" in page.locator("p.live-status").inner_text()


def test_running_softmax_is_the_attention_to_what_has_been_seen(visit, example):
    page = visit("running-softmax")
    scores, values = (torch.tensor(x, dtype=torch.float64) for x in (example.scores, example.numbers))

    def assert_state(order, seen, more=0):
        some = scores[order][:seen] + more
        assert_shown(shown(page, "td[data-name=highest]")[-1:], [some.max()], 2)
        assert_shown(shown(page, "td[data-name=total]")[-1:], [(some - some.max()).exp().sum()], 3)
        assert_shown(shown(page, "td[data-name=output]")[-1:], [F.softmax(some, dim=0) @ values[order][:seen]], 3)

    standing, falling = torch.arange(7), scores.argsort(descending=True)
    forward = page.get_by_role("button", name="Next block")
    for seen in (2, 4, 6, 7):
        assert_state(standing, seen)
        assert page.locator(".live-seen-key, .live-now-key").count() == seen
        if seen < 7:
            forward.click()
    assert forward.get_attribute("aria-disabled") == "true"
    assert len(shown(page, "td[data-name=total]")) == 4
    naive = page.locator("b").last
    assert float(naive.inner_text()) == pytest.approx(scores.exp().sum().item(), rel=1e-3)
    slide(page, "add to all scores", "End")
    assert naive.inner_text() == "overflow"
    assert_state(standing, 7, more=100)
    slide(page, "keys of a block", "ArrowRight")
    page.get_by_label("order").select_option("2")
    assert_state(falling, 3, more=100)
    forward.click()
    assert shown(page, "td[data-name=shrink]")[-1] == 1  # the largest was in the first block
    assert "stays" in page.locator("p.live-status").inner_text()
