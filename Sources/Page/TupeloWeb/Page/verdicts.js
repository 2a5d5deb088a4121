// How good a move was, in a word: by its loss as a share of the position's value, which is the value of the best move.
// The thresholds are quantiles of games of several strengths: see TupeloWeb.docc/Page.md and Tests/Measure/verdicts.
const Verdicts = (() => {
  // `most`: the largest share of each verdict. `length`: how long the bar of a move is that loses as much.
  const LIST = [
    { name: "best", many: "best", most: 0, length: 1 },
    { name: "good", many: "good", most: 0.01, length: 0.7 },
    { name: "inaccuracy", many: "inaccuracies", most: 0.03, length: 0.45 },
    { name: "mistake", many: "mistakes", most: 0.08, length: 0.2 },
    { name: "blunder", many: "blunders", most: Infinity, length: 0.04 },
  ];
  const WORST = 0.2; // the share from which on bars are as short as they get
  const LONGEST = 0.92; // the length of the bar of a move that loses something, however little
  const LEAST = 100; // points: shares of less than that say nothing

  const share = (loss, value) => (loss <= 0 ? 0 : loss / Math.max(Math.abs(value), LEAST));
  const of = (loss, value) => LIST.find(({ most }) => share(loss, value) <= most);

  // Between the lengths of two verdicts, a bar is as long as its share says.
  function length(loss, value) {
    const at = Math.min(share(loss, value), WORST);
    const next = LIST.findIndex(({ most }) => at <= most);
    if (next === 0) return 1;
    const [from, to] = [LIST[next - 1], LIST[next]];
    const part = (at - from.most) / (Math.min(to.most, WORST) - from.most);
    return Math.min(from.length + (to.length - from.length) * part, LONGEST);
  }

  // How many moves have each verdict but the first, such as "3 good, 1 mistake".
  const count = (verdicts) => LIST.slice(1).flatMap((one) => {
    const number = verdicts.filter((verdict) => verdict === one).length;
    return number === 0 ? [] : [`${grouped(number)} ${number === 1 ? one.name : one.many}`];
  }).join(", ");

  // The thresholds for people.
  const words = () => LIST.slice(1).map(({ name, most }, index) => (most === Infinity
    ? `${name} above ${percent(LIST[index].most)}` : `${name} up to ${percent(most)}`)).join(", ");

  return { LIST, share, of, length, count, words };
})();
