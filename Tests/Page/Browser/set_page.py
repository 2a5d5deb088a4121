"""The view of Set. Tests find Sets by comparing symbols, as a person does."""

from __future__ import annotations

import base64
import itertools
import json
import re
from functools import cache
from pathlib import Path

from tupelo_page import TupeloPage

SOURCES = Path(__file__).parents[3] / "Sources/Page/TupeloWeb/Page"


@cache
def engine_script():
    """The engine of the page, with its Set, as a script instead of a module."""
    code = base64.b64encode((SOURCES / "engine.wasm").read_bytes()).decode()
    module = (SOURCES / "engine/engine.js").read_text()
    return f"const ENGINE = '{code}';\n" + re.sub("^export ", "", module, flags=re.MULTILINE)


def is_set(three):
    return all(len({card[place] for card in three}) != 2 for place in range(4))


def sets_of(cards):
    return [three for three in itertools.combinations(cards, 3) if is_set(three)]


def wrong_claim(cards):
    """Three cards that are not a Set."""
    return next(three for three in itertools.combinations(cards, 3) if not is_set(three))


def button(card):
    """The selector of a card on the table."""
    return f'#set-cards [data-card="{card}"]'


def replay(record):
    """The end of a record of Set: its cards by place, its score, and whether the game is over. A damaged one fails.

    A record is one line of JSON, then steps such as `1rsd2rsd3rsd+1gtv3pov2gsq`: the taken cards, then the dealt ones.
    """

    def split(text):
        return [text[first : first + 4] for first in range(0, len(text), 4)]

    header, *lines = record.split("\n")
    table, score = json.loads(header)["start"].split(), 0
    dealt = list(table)
    for step in " ".join(lines).split():
        taken, new = map(split, step.partition("+")[::2])
        dealt += new
        if taken:
            assert len(taken) == 3 and is_set(taken), f"{step}: the taken cards are a Set"
            assert new == [] or len(table) <= 12, f"{step}: cards are dealt to 12 places"
            places = sorted(map(table.index, taken))
            for rank, place in reversed(list(enumerate(places))):
                table[place : place + 1] = new[rank : rank + 1]
            score += 1
        else:
            assert sets_of(table) == [], f"{step}: three more are dealt when there is no Set"
            table += new
    assert len(set(dealt)) == len(dealt), "no card is dealt twice"
    return table, score, len(dealt) == 81 and sets_of(table) == []


class SetPage(TupeloPage):
    """A page that shows Set. A card is written as four symbols, such as `1rsd`: one red solid diamond."""

    def open_tab(self):
        tab = super().open_tab()
        tab.click("#tab-set")
        tab.until_dealt()
        return tab

    def until_dealt(self):
        """Waits until the engine has answered, and the table shows the answer."""
        self.until(
            "document.querySelector('.set-card, #set-notice:not([hidden])') !== null && "
            "document.getElementById('set-cards').ariaBusy === 'false'"
        )

    def until_score(self, score):
        self.until(f"document.getElementById('set-score').textContent === '{score}'")

    # What the table shows

    def listed(self, selector):
        return self.locator(selector).evaluate_all("(all) => all.map((one) => one.dataset.card)")

    def cards(self):
        return self.listed("#set-cards .set-card")

    def sets(self):
        return sets_of(self.cards())

    def score(self):
        return self.number("#set-score")

    def deck(self):
        """The number of cards in the deck."""
        return self.number("#set-deck")

    def saved(self):
        """The game as the page stores it."""
        return self.stored("set")

    def choices(self):
        """The number of Sets in the list of their values."""
        return self.locator("#set-choices .choice").count()

    def agents(self):
        return self.locator("#set-agent option").evaluate_all("(all) => all.map((one) => one.value)")

    # What a test does

    def claim(self, three):
        for card in three:
            self.click(button(card))

    def claim_wrongly(self):
        """Claims three cards that are not a Set, waits for the verdict, and returns the cards."""
        three = wrong_claim(self.cards())
        self.claim(three)
        self.until("document.getElementById('set-message').textContent.startsWith('No Set: ')")
        return three

    def take(self, three):
        score = self.score()
        self.claim(three)
        self.until_score(score + 1)
        self.until_dealt()

    def deal(self):
        """Asks for three more cards."""
        count = len(self.cards())
        self.click("#set-deal")
        self.until(f"document.querySelectorAll('#set-cards .set-card').length === {count + 3}")
        self.until_dealt()

    def deal_until_set(self):
        while not self.sets():
            self.deal()

    # What the engine says. It is a second copy of the engine, which has no part in the page's game.

    def engine(self, kind, model=None, **values):
        """The response of the engine to a request. `model` is the address of a model that the engine loads first."""
        if not self.evaluate("'oracle' in window") or model is not None:
            self.evaluate(
                "async (model) => {"
                + engine_script()
                + """
                  const engine = makeEngine(ENGINE_MODULE);
                  if (model !== null) {
                    const file = new Uint8Array(await (await fetch(model)).arrayBuffer());
                    await engine.load(file, () => {});
                  }
                  window.oracle = makeSetEngine(engine);
                }""",
                model,
            )
        return self.evaluate("([kind, values]) => oracle[kind](values)", [kind, values])

    def game_of(self, seed, choices, game="0"):
        return self.engine("game", seed=str(seed), game=game, choices=choices, player="person")

    def saved_game(self):
        """The engine's account of the game that the page has stored."""
        game = self.saved()
        return self.game_of(game["seed"], game["choices"], game["game"])

    def analysis(self, agent, model=None):
        """An agent's values for this table, with the model of this address or without a model."""
        unseen = self.saved_game()["unseen"]
        return self.engine("analyze", model, cards=self.cards(), unseen=unseen, agent=agent, seed=[1, 2])

    def check_game(self, name):
        """Checks that the table, the numbers and the names of the cards are those of the stored game."""
        game = self.saved_game()
        assert [one["card"] for one in game["table"]] == self.cards(), f"{name}: the cards"
        assert (self.deck(), self.score()) == (game["deck"], game["score"]), f"{name}: the numbers"
        labels = self.locator("#set-cards .set-card").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
        assert [one["name"] for one in game["table"]] == labels, f"{name}: the names"
