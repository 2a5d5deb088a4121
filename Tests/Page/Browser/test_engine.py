"""The engine in the page: its values are those of the program, bit for bit."""

import array
import json
import random
import struct

import pytest

from programs import run
from records import DIGITS
from set_page import engine_script


def network_metadata(line):
    fingerprint = 0xCBF29CE484222325  # FNV-1a
    for byte in line.encode():
        fingerprint = (fingerprint ^ byte) * 0x100000001B3 % 2**64
    return {"tupelo.format": "1", "tupelo.network": line, "tupelo.fingerprint": f"{fingerprint:016x}"}


def write_network(path, stages):
    """Writes a network of three patterns with random weights. In a second stage, every fourth weight is not 0."""
    draw = random.Random(5)
    tables = [(stage, cells) for stage in range(2 if stages else 1) for cells in (5, 4, 4)]
    metadata = network_metadata(f"4x4 shared{' largest=1024' if stages else ''} 01234 4567 0145")
    header, data = {"__metadata__": {**metadata, "tupelo.behaviour": "5"}}, b""
    for number, (stage, cells) in enumerate(tables):
        weights = array.array("f", bytes(4 * 16**cells))
        for index in range(len(weights)):
            if stage == 0 or draw.randrange(4) == 0:
                weights[index] = draw.uniform(-900, 900)
        offsets = [len(data), len(data) + 4 * len(weights)]
        header[f"weights.{number}"] = {"dtype": "F32", "shape": [16] * cells, "data_offsets": offsets}
        data += weights.tobytes()
    write_model(path, header, data)


def write_model(path, header, data):
    text = json.dumps(header).encode()
    text += b" " * (-len(text) % 8)
    path.write_bytes(struct.pack("<Q", len(text)) + text + data)


def add_metadata(path, key, value):
    content = path.read_bytes()
    size = struct.unpack("<Q", content[:8])[0]
    header = json.loads(content[8 : 8 + size])
    header["__metadata__"][key] = value
    write_model(path, header, content[8 + size :])


def random_boards(count):
    """Boards with about a third of their cells empty, and with largest tiles from 8 to 131072."""
    draw = random.Random(count)

    def digit(largest):
        return "0" if draw.randrange(3) == 0 else DIGITS[draw.randint(0, largest)]

    return ["".join(digit((3, 8, 11, 15, 17)[index % 5]) for _ in range(16)) for index in range(count)]


def depth(index):
    """Most positions are compared one ply ahead, some two or three."""
    return 3 if index % 250 == 0 else 2 if index % 5 == 0 else 1


def program_values(model, boards):
    """Reward, value and difference of each legal move, by the program; `None` for other moves."""
    values = [None] * len(boards)
    for plies in (1, 2, 3):
        chosen = [index for index in range(len(boards)) if depth(index) == plies]
        text = "\n".join(boards[index] for index in chosen)
        lines = run("analyze", model, "-", "--json", "--plies", plies, text=text).splitlines()
        for index, line in zip(chosen, lines, strict=True):
            values[index] = [
                [move["reward"], move["value"], move["difference"]] if move["legal"] else None
                for move in json.loads(line)["moves"]
            ]
    return values


def page_values(page, boards):
    """Reward, value and difference of each legal move, by the engine in the page with the model of its server."""
    return page.evaluate(
        "async (questions) => {"
        + engine_script()
        + """
          const engine = makeEngine(ENGINE_MODULE);
          const file = new Uint8Array(await (await fetch("/model.safetensors")).arrayBuffer());
          await engine.load(file, () => {});
          return questions.map(([hex, plies]) => {
            const board = [...hex].map((digit) => "0123456789abcdefgh".indexOf(digit));
            const { moves } = engine.analyze(board, { plies, four: 0.1 });
            return moves.map(({ legal, reward, value, difference }) => legal ? [reward, value, difference] : null);
          });
        }""",
        [[board, depth(index)] for index, board in enumerate(boards)],
    )


def compare(page, model, count):
    boards = random_boards(count)
    found, expected = page_values(page, boards), program_values(model, boards)
    different = [triple for triple in zip(boards, found, expected, strict=True) if triple[1] != triple[2]]
    assert different == [], f"{len(different)} boards differ"


@pytest.mark.parametrize("form", ["f32", "f16", "compact"])
def test_values_are_the_programs_to_the_bit(page, tmp_path, form):
    """A network in each format of a model file; the compact one has two stages, the later one filled."""
    write_network(tmp_path / "network.safetensors", stages=form == "compact")
    model = tmp_path / "model.safetensors"
    options = ["--step", 0.25, "--drop", 3] if form == "compact" else []
    run("export", tmp_path / "network.safetensors", "--output", model, "--format", form, *options)
    if form == "compact":
        add_metadata(model, "tupelo.filled_stages", "yes")
    page.context.route("**/model.safetensors", lambda route: route.fulfill(path=model))
    compare(page, model, 1000)


def test_ten_thousand_positions_have_the_programs_values(open_page, serve, models):
    page = open_page(at=serve(models / "17x4"))
    compare(page, models / "17x4", 10_000)


def test_refused_memory_is_an_error(page):
    """When the browser has no more memory for the engine, the call that needs some fails, and writes nothing."""
    said = page.evaluate("""async () => {
      const { ENGINE_MODULE, makeEngine } = await import("/engine/engine.js");
      const engine = makeEngine(ENGINE_MODULE);
      const { memory, room } = engine.exports;
      for (let pages = 32768; pages > 0; pages = Math.floor(pages / 2)) {
        try {
          while (true) memory.grow(pages);
        } catch {}
      }
      try {
        room(10_000_000);
        return "there is room";
      } catch (error) {
        return `${error.name}: ${error.message}`;
      }
    }""")
    assert said == "RangeError: There is no memory left."


def hostile_files():
    """Damaged model files with what the page says. In the page a whole number has 32 bits."""

    def file(line="4x4 shared 01", dtype="F32", shape=(16, 16), offsets=(0, 1024), length=None, **metadata):
        entry = {"dtype": dtype, "shape": shape, "data_offsets": offsets}
        header = {"__metadata__": {**network_metadata(line), **metadata}, "weights.0": entry}
        text = json.dumps(header).encode()
        return struct.pack("<Q", len(text) if length is None else length(len(text))) + text + bytes(1024)

    compact = {"tupelo.encoding": "compact", "tupelo.compact.step": "1", "tupelo.compact.crc32": "00000000"}
    damaged = "Its file is damaged: load the page again."
    yield "sound", file(), ""
    yield "cut", file()[:-1], damaged
    yield "empty", b"", damaged
    yield "html", b"<!DOCTYPE html><title>Not found</title>", damaged
    for name, length in [
        ("length of 33 bits", lambda count: count + 2**32),
        ("length of 64 bits", lambda count: 2**64 - 1),
        ("long header", lambda count: count + 1025),
    ]:
        yield name, file(length=length), damaged
    for offsets in [(0, 2**32 + 1024), (2**32, 2**32 + 1024), (2**31 - 1024, 2**31), (4, 1028), (1024, 0), (0, 1020)]:
        yield str(offsets), file(offsets=offsets), damaged
    for shape in [(2**16, 2**16), (2**31, 2), (2**40, 0), (16, 15)]:
        yield str(shape), file(shape=shape), damaged
    yield "other type", file(dtype="U32"), "the tensor weights.0 has shape"
    yield "other shape", file(shape=(256,)), "the tensor weights.0 has shape [256] instead of"
    yield "not a network", file(line="4x4 shared 0g"), "its metadata names no network"
    for patterns in ["01234567", "0123456 " * 8]:
        yield patterns, file(line=f"4x4 shared {patterns}".strip()), "weights are too many"
    for kept in ["2147483648", "4294967296", "-1", "257", "", "x"]:
        metadata = {**compact, "tupelo.compact.kept": kept}
        yield f"{kept} weights", file(**metadata), "its metadata has no usable tupelo.compact.kept"


def test_damaged_files_are_refused_in_one_line(page):
    """The engine never stops in the middle of a file: it loads the file, or says in one line why not."""
    cases = list(hostile_files())
    said = page.evaluate(
        "async (files) => {"
        + engine_script()
        + """
          // A trap of the engine is a `WebAssembly.RuntimeError`.
          async function load(bytes) {
            try {
              await makeEngine(ENGINE_MODULE).load(bytes, () => {});
              return "";
            } catch (error) {
              return error.name === "Error" ? error.message : `${error.name}: ${error.message}`;
            }
          }
          const said = [];
          for (const file of files) said.push(await load(Uint8Array.from(file)));
          // Any byte of the header, or two.
          const [whole, faults] = [files[0], []];
          for (let number = 0; number < 600; number += 1) {
            const bytes = Uint8Array.from(whole);
            bytes[(number * 7919) % (whole.length - 1024)] = (number * 31) % 256;
            if (number % 2) bytes[(number * 104729) % (whole.length - 1024)] ^= 1 << number % 8;
            const text = await load(bytes);
            if (/Error|\\n/.test(text)) faults.push(text);
          }
          return [said, faults];
        }""",
        [list(content) for _, content, _ in cases],
    )
    wrong = [
        (name, text)
        for (name, _, expected), text in zip(cases, said[0], strict=True)
        if (expected not in text if expected else text) or "\n" in text or "Error" in text
    ]
    assert wrong == [] and said[1] == []
