// What the page asks its server.
const Server = (() => {
  class Refused extends Error {}

  async function request(path, options = {}, kind = "json") {
    let response;
    try {
      response = await fetch(path, options);
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new Error("The server does not answer. Is tupelo serve still running?");
    }
    if (!response.ok) throw new Refused(await response.text());
    return response[kind]();
  }

  const query = (values) => new URLSearchParams(values).toString();

  return {
    Refused,
    state: () => request("/api/state"),
    analyze: (board, settings, signal) =>
      request(`/analyze?${query({ board: Rules.hex(board), ...settings })}`, { signal }),
    runs: () => request("/api/runs"),
    game: (run, game) => request(`/api/game?${query({ run, game })}`, {}, "text"),
    settings: (run) => request(`/api/settings?${query({ run })}`, {}, "text"),
    metrics: (run, from) => request(`/api/metrics?${query({ run, from })}`),
  };
})();
