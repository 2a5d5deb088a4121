// Reads a model file into an engine. The function uses nothing of the page, because a worker runs it. The facts of a
// file are checked before they are used: the engine knows how large each table is.
function makeModelReader() {
  // Why a file cannot be used. `name` is the tensor that is damaged, where that is known.
  const damaged = (name) => new Error(`Its file is damaged${name ? ` (${name})` : ""}: load the page again.`);
  const CHUNK = 1 << 16; // weights per step

  function parse(bytes) {
    try {
      const length = Number(new DataView(bytes.buffer, bytes.byteOffset).getBigUint64(0, true));
      if (!(length <= bytes.length - 8 && length < 1e7)) throw damaged();
      const header = JSON.parse(new TextDecoder().decode(bytes.subarray(8, 8 + length)));
      const { __metadata__: metadata, ...tensors } = header;
      if (typeof metadata["tupelo.network"] !== "string") throw damaged();
      return { metadata, tensors, data: bytes.subarray(8 + length) };
    } catch {
      throw damaged();
    }
  }

  // The bytes of a tensor; `count` of them, where that is known.
  function tensor({ tensors, data }, name, count = null) {
    const [start, end] = tensors[name]?.data_offsets ?? [];
    const isHere = Number.isInteger(start) && Number.isInteger(end) && 0 <= start && start <= end && end <= data.length;
    if (!isHere || (count !== null && end - start !== count)) throw damaged(name);
    return data.subarray(start, end);
  }

  // Inflates a zlib stream of exactly `count` bytes; never more of them are held.
  async function inflate(bytes, count, name) {
    if (typeof DecompressionStream === "undefined") throw new Error("This browser cannot unpack it: use a newer one.");
    const whole = new Uint8Array(count);
    let at = 0;
    try {
      const stream = new Response(bytes).body.pipeThrough(new DecompressionStream("deflate"));
      for (const reader = stream.getReader(); ;) {
        const { done, value } = await reader.read();
        if (done) break;
        if (value.length > count - at) throw damaged();
        whole.set(value, at);
        at += value.length;
      }
    } catch {
      at = -1;
    }
    if (at !== count) throw damaged(name);
    return whole;
  }

  async function compact(engine, file, number, size) {
    const { metadata, tensors } = file;
    const part = (key) => (metadata[key] ?? "").split(" ")[number] ?? "";
    const kept = Number(part("tupelo.compact.kept"));
    const checksum = part("tupelo.compact.crc32");
    const step = Number(metadata["tupelo.compact.step"]);
    const isUsable = Number.isInteger(kept) && kept >= 0 && kept <= size && checksum.length === 8 && step > 0;
    if (!isUsable) throw damaged();
    const name = (kind) => `compact.${kind}.${number}`;
    const planes = [0, 1, 2, 3].map((plane) => name(`byte${plane}`)).filter((key) => key in tensors);
    const streams = [[name("map"), size / 8], ...planes.map((key) => [key, kept])];
    const parts = await Promise.all(streams.map(async ([key, count]) => inflate(tensor(file, key), count, key)));
    engine.fill(...parts, new TextEncoder().encode(checksum));
    engine.check(engine.exports.fillCompact(number, kept, parts.length - 1, step));
  }

  // `width` bytes per weight: single or half precision.
  function plain(engine, file, number, size, width) {
    const bytes = tensor(file, `weights.${number}`, size * width);
    const scale = width === 2 ? Number(file.metadata["tupelo.f16.scale"]) : 1;
    for (let start = 0; start < size; start += CHUNK) {
      const count = Math.min(CHUNK, size - start);
      engine.fill(bytes.subarray(start * width, (start + count) * width));
      engine.check(engine.exports.fill(number, start, count, width, scale));
    }
  }

  // Loads the network of a file. `progress` gets the share that is done, from 0 to 1.
  return async (engine, bytes, progress) => {
    const file = parse(bytes);
    const encode = (key) => new TextEncoder().encode(file.metadata[key] ?? "");
    const [text, fingerprint] = [encode("tupelo.network"), encode("tupelo.fingerprint")];
    engine.fill(text, fingerprint);
    engine.check(engine.exports.begin(text.length, fingerprint.length));
    const count = engine.exports.tables();
    for (let number = 0; number < count; number += 1) {
      const size = engine.exports.tableSize(number);
      const encoding = file.metadata["tupelo.encoding"] ?? "f32";
      if (encoding === "compact") await compact(engine, file, number, size);
      else if (encoding === "f16") plain(engine, file, number, size, 2);
      else if (encoding === "f32") plain(engine, file, number, size, 4);
      else throw damaged();
      progress((number + 1) / count);
    }
    engine.check(engine.exports.finish("tupelo.filled_stages" in file.metadata ? 1 : 0));
  };
}
