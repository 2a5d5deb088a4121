// Runs in each page before its own scripts: makes its random numbers the same at every run, knows its work in progress,
// and holds back or breaks answers on request.
{
  // Decks and tiles are the same at every run: no test fails because a table happens to have no Set.
  let { luck } = window;
  const draw = () => {
    luck = (luck + 0x6d2b79f5) | 0;
    let bits = Math.imul(luck ^ (luck >>> 15), luck | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return (bits ^ (bits >>> 14)) >>> 0;
  };
  crypto.getRandomValues = (array) => {
    array.forEach((_, index) => { array[index] = draw(); });
    return array;
  };

  // Work in progress: requests without an answer yet, the numbers of requests that are answered soon and of those that
  // were, and timers. Searches for a time do not count: tests that need their end wait for its effect on the page.
  let waiting = 0;
  let [begun, ended] = [0, 0];
  let due = 0;
  const ask = (by, kind) => {
    if (kind !== "long") waiting += by;
    if (kind === "soon" && by > 0) begun += 1;
    else if (kind === "soon") ended += 1;
  };
  const during = async (kind, work) => {
    ask(1, kind);
    try { return await work(); } finally { ask(-1, kind); }
  };

  // Tests set these two. Requests whose addresses begin with the first text fail. Requests whose addresses contain the
  // second text are held back until `release()`. Questions to the engine in the page have addresses, too:
  // `/set/game`, `/set/claim` and `/set/analyze?agent=NAME`, and `/worker-analyze`, `/worker-review` and so on.
  window.broken = "";
  window.held = "";
  const held = []; // the functions that send the requests that are held back
  const isHeld = (address) => window.held !== "" && address.includes(window.held);
  window.release = () => {
    window.held = "";
    for (const send of held.splice(0)) send();
  };
  window.heldAnswers = 0; // the number of requests that were held back and have no answer yet
  window.asked = 0; // the number of requests to `/analyze`

  const real = window.fetch;
  window.fetch = async (path, options = {}) => {
    if (window.broken && path.startsWith(window.broken)) throw new TypeError("broken");
    const isAnalysis = path.startsWith("/analyze");
    window.asked += isAnalysis;
    const kind = /milliseconds=\d{4}/.test(path) ? "long" : isAnalysis ? "soon" : "usual";
    const isLate = isHeld(path);
    return during(kind, async () => {
      window.heldAnswers += isLate;
      try {
        if (isLate) await new Promise((send) => { held.push(send); });
        const response = await real(path, options);
        if (isAnalysis) await response.clone().arrayBuffer();
        return response;
      } finally {
        window.heldAnswers -= isLate;
      }
    });
  };
  const { text } = Blob.prototype;
  Blob.prototype.text = function () { return during("soon", () => text.call(this)); };

  const KINDS = { analyze: "soon", review: "soon", set: "soon", run: "long", chances: "long" };
  const kindOf = ({ kind, milliseconds }) => (milliseconds >= 1000 ? "long" : KINDS[kind]);
  window.Worker = class extends Worker {
    #requests = new Map(); // the kind of each request without an answer yet, and whether it was held back, by number

    constructor(...values) {
      super(...values);
      this.addEventListener("message", ({ data: { id, progress } }) => {
        if (progress !== undefined) return;
        const request = this.#requests.get(id);
        this.#requests.delete(id);
        ask(-1, request?.kind);
        window.heldAnswers -= request?.isLate ?? 0;
      });
    }
    postMessage(message) {
      if (message.cancel !== undefined) return super.postMessage(message);
      const isLate = isHeld(message.kind === "set" ? `/set/${message.name}?agent=${message.values?.agent}`
        : `/worker-${message.kind}`);
      this.#requests.set(message.id, { kind: kindOf(message), isLate });
      ask(1, kindOf(message));
      window.heldAnswers += isLate;
      if (isLate) held.push(() => super.postMessage(message));
      else super.postMessage(message);
    }
  };

  // Whether there is work in progress: an answer is awaited, something moves, or something is due soon.
  const later = window.setTimeout;
  window.setTimeout = (work, milliseconds, ...more) => {
    if (milliseconds <= 300) due = Math.max(due, performance.now() + milliseconds);
    return later(work, milliseconds, ...more);
  };
  const isBusy = () => waiting > 0 || performance.now() < due
    || document.getAnimations().some((one) => one.playState === "running");

  // Waits until the page has been idle for a while, for 300 ms at most, since agents may continue to play. A busy
  // machine needs longer for answers that are due soon: those that are awaited by then are awaited.
  window.settled = async () => {
    const start = performance.now();
    let goal = null; // a number of answers
    for (let quiet = 0; quiet < 3;) {
      await new Promise((done) => later(done, 16));
      quiet = isBusy() ? 0 : quiet + 1;
      const time = performance.now() - start;
      if (time > 300) goal ??= window.held || window.broken ? 0 : begun;
      if (goal !== null && (ended >= goal || time > 20_000)) return;
    }
  };
}
