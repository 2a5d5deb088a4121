#include "page_files.h"

// The files of Sources/Page/TupeloWeb/Page, as the compiler finds them. C embeds a megabyte at once; an array literal
// of Swift takes minutes.

static const unsigned char html[] = {
#embed "../TupeloWeb/Page/page.html"
};

// All styles, in the order in which they count.
static const unsigned char styles[] = {
#embed "../TupeloWeb/Page/page.css"
  ,
#embed "../TupeloWeb/Page/board.css"
  ,
#embed "../TupeloWeb/Page/tiles.css"
  ,
#embed "../TupeloWeb/Page/panels.css"
  ,
#embed "../TupeloWeb/Page/review.css"
  ,
#embed "../TupeloWeb/Page/set.css"
  ,
#embed "../TupeloWeb/Page/modes.css"
};

// All scripts, in loading order. They are small files, one idea each, that share one scope.
static const unsigned char scripts[] = {
#embed "../TupeloWeb/Page/engine.js"
  ,
#embed "../TupeloWeb/Page/set-engine.js"
  ,
#embed "../TupeloWeb/Page/rules.js"
  ,
#embed "../TupeloWeb/Page/record.js"
  ,
#embed "../TupeloWeb/Page/game.js"
  ,
#embed "../TupeloWeb/Page/text.js"
  ,
#embed "../TupeloWeb/Page/theme.js"
  ,
#embed "../TupeloWeb/Page/toast.js"
  ,
#embed "../TupeloWeb/Page/server.js"
  ,
#embed "../TupeloWeb/Page/model.js"
  ,
#embed "../TupeloWeb/Page/play-on.js"
  ,
#embed "../TupeloWeb/Page/worker.js"
  ,
#embed "../TupeloWeb/Page/engine-worker.js"
  ,
#embed "../TupeloWeb/Page/loaded-model.js"
  ,
#embed "../TupeloWeb/Page/local.js"
  ,
#embed "../TupeloWeb/Page/set-local.js"
  ,
#embed "../TupeloWeb/Page/answers.js"
  ,
#embed "../TupeloWeb/Page/analyst.js"
  ,
#embed "../TupeloWeb/Page/verdicts.js"
  ,
#embed "../TupeloWeb/Page/board-view.js"
  ,
#embed "../TupeloWeb/Page/board-text.js"
  ,
#embed "../TupeloWeb/Page/input.js"
  ,
#embed "../TupeloWeb/Page/share.js"
  ,
#embed "../TupeloWeb/Page/past.js"
  ,
#embed "../TupeloWeb/Page/bests.js"
  ,
#embed "../TupeloWeb/Page/statistics.js"
  ,
#embed "../TupeloWeb/Page/moment.js"
  ,
#embed "../TupeloWeb/Page/notice.js"
  ,
#embed "../TupeloWeb/Page/table.js"
  ,
#embed "../TupeloWeb/Page/agent-settings.js"
  ,
#embed "../TupeloWeb/Page/agents.js"
  ,
#embed "../TupeloWeb/Page/play.js"
  ,
#embed "../TupeloWeb/Page/rival.js"
  ,
#embed "../TupeloWeb/Page/batch.js"
  ,
#embed "../TupeloWeb/Page/settings.js"
  ,
#embed "../TupeloWeb/Page/app.js"
  ,
#embed "../TupeloWeb/Page/watch.js"
  ,
#embed "../TupeloWeb/Page/replay.js"
  ,
#embed "../TupeloWeb/Page/loss-graph.js"
  ,
#embed "../TupeloWeb/Page/learn.js"
  ,
#embed "../TupeloWeb/Page/review.js"
  ,
#embed "../TupeloWeb/Page/records.js"
  ,
#embed "../TupeloWeb/Page/run-games.js"
  ,
#embed "../TupeloWeb/Page/editor.js"
  ,
#embed "../TupeloWeb/Page/lines.js"
  ,
#embed "../TupeloWeb/Page/analyze.js"
  ,
#embed "../TupeloWeb/Page/chart.js"
  ,
#embed "../TupeloWeb/Page/run-settings.js"
  ,
#embed "../TupeloWeb/Page/training.js"
  ,
#embed "../TupeloWeb/Page/set-card.js"
  ,
#embed "../TupeloWeb/Page/set-round.js"
  ,
#embed "../TupeloWeb/Page/set-past.js"
  ,
#embed "../TupeloWeb/Page/set-table.js"
  ,
#embed "../TupeloWeb/Page/set-cards.js"
  ,
#embed "../TupeloWeb/Page/set-choices.js"
  ,
#embed "../TupeloWeb/Page/set-advice.js"
  ,
#embed "../TupeloWeb/Page/set-watch.js"
  ,
#embed "../TupeloWeb/Page/set-play.js"
  ,
#embed "../TupeloWeb/Page/set-review.js"
  ,
#embed "../TupeloWeb/Page/set-view.js"
  ,
#embed "../TupeloWeb/Page/page.js"
};

static const unsigned char engine[] = {
#embed "../TupeloWeb/Page/engine.wasm"
};

static const unsigned char worker[] = {
#embed "../TupeloWeb/App/offline.js"
};

static const unsigned char manifest[] = {
#embed "../TupeloWeb/App/manifest.webmanifest"
};

static const unsigned char icon_192[] = {
#embed "../TupeloWeb/App/icon-192.png"
};

static const unsigned char icon_512[] = {
#embed "../TupeloWeb/App/icon-512.png"
};

tupelo_page_file tupelo_app_worker(void) { return (tupelo_page_file){worker, sizeof worker}; }
tupelo_page_file tupelo_app_manifest(void) { return (tupelo_page_file){manifest, sizeof manifest}; }
tupelo_page_file tupelo_app_icon(int points) {
  return points == 192 ? (tupelo_page_file){icon_192, sizeof icon_192} : (tupelo_page_file){icon_512, sizeof icon_512};
}

tupelo_page_file tupelo_page_html(void) { return (tupelo_page_file){html, sizeof html}; }
tupelo_page_file tupelo_page_styles(void) { return (tupelo_page_file){styles, sizeof styles}; }
tupelo_page_file tupelo_page_scripts(void) { return (tupelo_page_file){scripts, sizeof scripts}; }
tupelo_page_file tupelo_page_engine(void) { return (tupelo_page_file){engine, sizeof engine}; }
