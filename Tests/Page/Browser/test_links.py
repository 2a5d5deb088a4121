"""Links to games, which contain the whole record."""

import base64
import zlib

import records


def test_a_game_is_a_link(open_page, tmp_path):
    """A link contains the whole record, deflated; another page reads it, and reports errors in it."""
    record = records.play(seed=4, moves=200)
    (tmp_path / "game.txt").write_text(record)
    page = open_page(permissions=["clipboard-read", "clipboard-write"])
    page.view("replay")
    page.set_input_files("#record-file", tmp_path / "game.txt")
    page.settle()
    page.click("#share-game")
    page.until("!document.getElementById('toast').hidden")
    link = page.evaluate("navigator.clipboard.readText()")
    assert "works on this machine only" in page.text("#toast"), "others cannot open an address of this machine"
    page.evaluate("Object.defineProperty(navigator, 'clipboard', { value: undefined })")  # as over plain HTTP
    page.click("#share-game")
    page.until_text("#toast", "The link is in the address of this page.")
    assert page.url == link
    letters = link.split("#game=")[1]
    raw = base64.urlsafe_b64decode(letters + "=" * (-len(letters) % 4))
    assert zlib.decompress(raw, -15).decode() == record, "the link contains the record"
    page = open_page(at=link)
    page.until_text("#record-note", "link")
    with page.expect_download() as download:
        page.click("#save-record")
    assert download.value.path().read_text() == record, "the saved record is the record"

    def refuses(letters):
        page.evaluate(f"location.hash = '#game={letters}'")
        page.until("document.getElementById('record-error').textContent.startsWith('This link has no game')")

    for wrong in (letters[:-20], "abc", "%E0", "", "AAAA"):
        refuses(wrong)
        page.evaluate(f"location.hash = '#game={letters}'")
        page.until("document.getElementById('record-error').textContent === ''")
    with page.expect_download() as picture:
        page.click("#share-picture")
    assert picture.value.path().read_bytes()[:8] == b"\x89PNG\r\n\x1a\n", "the picture is a PNG file"
    # Unpacking stops at the size limit of a record, however small the link is.
    packed = zlib.compressobj(9, zlib.DEFLATED, -15)
    bomb = packed.compress(b" " * 5_000_000) + packed.flush()
    refuses(base64.urlsafe_b64encode(bomb).decode().rstrip("="))
