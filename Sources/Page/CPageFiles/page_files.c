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
#embed "../TupeloWeb/Page/learn.css"
  ,
#embed "../TupeloWeb/Page/modes.css"
};

// The page's modules: their paths, by which they import each other, and their texts, which end with a zero. This is the
// only list of them.
static const struct {
  const char *path;
  const unsigned char *text;
} modules[] = {
  {"core/chart.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/chart.js"
    , 0}},
  {"core/game.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/game.js"
    , 0}},
  {"core/input.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/input.js"
    , 0}},
  {"core/ledger.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/ledger.js"
    , 0}},
  {"core/question.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/question.js"
    , 0}},
  {"core/storage.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/storage.js"
    , 0}},
  {"core/text.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/text.js"
    , 0}},
  {"core/views.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/core/views.js"
    , 0}},
  {"engine/analyses.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/engine/analyses.js"
    , 0}},
  {"engine/answers.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/engine/answers.js"
    , 0}},
  {"engine/engine.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/engine/engine.js"
    , 0}},
  {"engine/why.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/engine/why.js"
    , 0}},
  {"engine/worker.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/engine/worker.js"
    , 0}},
  {"learn/learn.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/learn/learn.js"
    , 0}},
  {"learn/learner.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/learn/learner.js"
    , 0}},
  {"play/agents.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/agents.js"
    , 0}},
  {"play/notices.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/notices.js"
    , 0}},
  {"play/play.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/play.js"
    , 0}},
  {"play/screen.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/screen.js"
    , 0}},
  {"play/settings.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/settings.js"
    , 0}},
  {"play/share.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/share.js"
    , 0}},
  {"play/table.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/play/table.js"
    , 0}},
  {"watch/watch.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/watch/watch.js"
    , 0}},
  {"review/analyze.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/review/analyze.js"
    , 0}},
  {"review/formats.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/review/formats.js"
    , 0}},
  {"review/games.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/review/games.js"
    , 0}},
  {"review/replay.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/review/replay.js"
    , 0}},
  {"review/review.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/review/review.js"
    , 0}},
  {"training/training.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/training/training.js"
    , 0}},
  {"set/cards.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/set/cards.js"
    , 0}},
  {"set/play.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/set/play.js"
    , 0}},
  {"set/table.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/set/table.js"
    , 0}},
  {"set/view.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/set/view.js"
    , 0}},
  {"page.js", (const unsigned char[]){
#embed "../TupeloWeb/Page/page.js"
    , 0}},
};

static const unsigned char engine[] = {
#embed "../TupeloWeb/Page/engine.wasm"
};

static const unsigned char learner[] = {
#embed "../TupeloWeb/Page/learn.wasm"
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

static const unsigned char preview[] = {
#embed "../TupeloWeb/App/preview.png"
};

tupelo_page_file tupelo_app_preview(void) { return (tupelo_page_file){preview, sizeof preview}; }
tupelo_page_file tupelo_app_worker(void) { return (tupelo_page_file){worker, sizeof worker}; }
tupelo_page_file tupelo_app_manifest(void) { return (tupelo_page_file){manifest, sizeof manifest}; }
tupelo_page_file tupelo_app_icon(int points) {
  return points == 192 ? (tupelo_page_file){icon_192, sizeof icon_192} : (tupelo_page_file){icon_512, sizeof icon_512};
}

tupelo_page_file tupelo_page_html(void) { return (tupelo_page_file){html, sizeof html}; }
tupelo_page_file tupelo_page_styles(void) { return (tupelo_page_file){styles, sizeof styles}; }
int tupelo_page_module_count(void) { return sizeof modules / sizeof *modules; }
const char *tupelo_page_module_path(int number) { return modules[number].path; }
const char *tupelo_page_module_text(int number) { return (const char *)modules[number].text; }
tupelo_page_file tupelo_page_engine(void) { return (tupelo_page_file){engine, sizeof engine}; }
tupelo_page_file tupelo_page_learner(void) { return (tupelo_page_file){learner, sizeof learner}; }
