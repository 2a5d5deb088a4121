"""Pictures are well-formed SVG with the right tiles."""

import re
import xml.etree.ElementTree as ElementTree

import numpy as np
import pytest
import reference
import tupelo
import tupelo.notebook as show
from tupelo import _drawing

SPACE = "{http://www.w3.org/2000/svg}"


def test_a_board():
    picture = show.board("123000000000000h")
    root = ElementTree.fromstring(picture._repr_html_())
    numbers = [text.text for text in root.iter(SPACE + "text")]
    assert numbers == ["2", "4", "8", "131072"]
    assert show.board(np.array([[1, 0], [0, 2]])).svg.count("<text") == 2
    with pytest.raises(ValueError):
        show.board("12")


def test_texts_are_no_markup():
    hostile = '<img src=x onerror="alert(1)">&'
    trainer = tupelo.Trainer({"network.patterns": "0123", "output.directory": hostile})
    board = np.zeros((4, 4), np.uint8)
    for page in (trainer._repr_html_(), _drawing.svg(board, hostile), _drawing.frame((4, 4), "", label=hostile)):
        root = ElementTree.fromstring(page)
        assert root.find(".//{*}img") is None and "alert(1)" in page


def test_an_animated_game():
    record = show.play("random", seed=4, moves=40)
    animation = record.animate()
    root = ElementTree.fromstring(animation.svg)
    tiles = [group for group in root.iter(SPACE + "g")]
    # A tile for each start tile, each new tile and each merge.
    merges = 0
    for n, action in enumerate(record.actions):
        merges += len(reference.merges(record.boards[n].tolist(), int(action)))
    assert len(tiles) == 2 + len(record) + merges
    assert "<script" not in animation.svg and "href" not in animation.svg
    for animate in root.iter(SPACE + "animateTransform"):
        times = [float(time) for time in animate.get("keyTimes").split(";")]
        assert times == sorted(times) and times[0] == 0 and times[-1] == 1
        assert len(times) == len(animate.get("values").split(";"))
    for animate in root.iter(SPACE + "animate"):
        times = [float(time) for time in animate.get("keyTimes").split(";")]
        assert times == sorted(times) and times[0] == 0 and max(times) < 1
    captions = re.findall(r"move (\d+) · score ([\d,]+)", animation.svg)
    assert len(captions) == 41 and int(captions[-1][1].replace(",", "")) == record.score


def alive(root, moment):
    """The tiles that are shown at a moment, 0 to 1, by place: {(row, column): number}."""
    shown = {}
    for group in root.iter(SPACE + "g"):
        animate = group.find(SPACE + "animate")
        times = [float(time) for time in animate.get("keyTimes").split(";")]
        values = animate.get("values").split(";")
        if values[max(n for n, time in enumerate(times) if time <= moment)] != "visible":
            continue
        move = group.find(SPACE + "animateTransform")
        if move is None:
            x, y = re.fullmatch(r"translate\((\d+),(\d+)\)", group.get("transform")).groups()
        else:
            times = [float(time) for time in move.get("keyTimes").split(";")]
            x, y = move.get("values").split(";")[max(n for n, t in enumerate(times) if t <= moment)].split(",")
        place = (int(y) // 68, int(x) // 68)
        assert place not in shown
        shown[place] = int(group.find(SPACE + "text").text)
    return shown


def test_the_animation_shows_the_boards():
    record = show.play("random", seed=9, moves=60)
    root = ElementTree.fromstring(record.animate(seconds_per_move=0.25).svg)
    seconds = 60 * 0.25 + 2
    for n in range(61):
        moment = (n * 0.25 - 0.02) / seconds if n else 0.0
        board = record.boards[n]
        expected = {(r, c): 1 << int(board[r, c]) for r in range(4) for c in range(4) if board[r, c]}
        assert alive(root, moment) == expected, n


def test_stretches_of_a_game(tmp_path):
    record = show.play("random", seed=4, shape=(3, 4))
    end = record.animate(first=-5)
    assert f"move {len(record)}" in end.svg.replace(",", "") and "move 0 " not in end.svg
    end.save(tmp_path / "game.svg")
    assert ElementTree.parse(tmp_path / "game.svg").getroot().tag == SPACE + "svg"
    for arguments in ({"first": 10**6}, {"moves": 0}, {"seconds_per_move": 0}):
        with pytest.raises(ValueError):
            record.animate(**arguments)
