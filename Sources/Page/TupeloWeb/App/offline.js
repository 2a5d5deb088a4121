// The worker that keeps a static site for use without a network. `tupelo site` writes VERSION, SHELL and MODELS above:
// the version of the site, the files that make the page, and the addresses of models, which name their contents. The
// page itself stores a model when it loads one.
const own = registration.scope;
const [shell, models] = [`tupelo ${own} ${VERSION}`, `tupelo-models ${own}`];
const addresses = (names) => names.map((name) => new URL(name, own).href);
const [pages, files, known] = [addresses(["./", "index.html"]), addresses(SHELL), addresses(MODELS)];

addEventListener("install", (event) => {
  const fresh = files.map((file) => new Request(file, { cache: "no-cache" }));
  event.waitUntil(caches.open(shell).then((cache) => cache.addAll(fresh)));
});

// Other versions' files go, and models that this version does not have.
async function activate() {
  for (const name of await caches.keys()) {
    if (name.startsWith(`tupelo ${own} `) && name !== shell) await caches.delete(name);
  }
  const cache = await caches.open(models);
  for (const { url } of await cache.keys()) if (!known.includes(url)) await cache.delete(url);
  await clients.claim();
}
addEventListener("activate", (event) => event.waitUntil(activate()));

const file = async (address, request) => (await (await caches.open(shell)).match(address)) ?? fetch(request);

addEventListener("fetch", (event) => {
  const { method, url } = event.request;
  const address = pages.includes(url.split(/[?#]/)[0]) ? files[0] : url.split("#")[0];
  if (method === "GET" && files.includes(address)) event.respondWith(file(address, event.request));
});

async function keepModels() {
  const cache = await caches.open(models);
  for (const address of known) if (!(await cache.match(address))) await cache.add(address);
}

// This version takes over; or all models are stored, whether they have been wanted or not.
addEventListener("message", (event) => {
  if (event.data === "update") skipWaiting();
  if (event.data === "keep models") event.waitUntil(keepModels());
});
