// What the bench of the page runs inside the page. Every probe answers numbers in milliseconds, or a promise of them.
(() => {
  const base = document.querySelector("script[type=module]").src;
  const module = (path) => import(new URL(path, base).href);
  const frame = () => new Promise((done) => requestAnimationFrame(done));
  const median = (times) => [...times].sort((a, b) => a - b)[times.length >> 1];
  const desk = () => window.chardesk;

  const WORDS = ["queue", "世界", "─┬─", "broker;", "│", "naïve", "╰──▶", "日本語", "(x + 1)", "é", "🚀", "▓▒░", "done.", "→"];
  const COLORS = ["#c0392b", "#1e8449", "#2471a3", "#7d3c98", "#b9770e", undefined, "#117a65", undefined];
  const BACKS = [undefined, undefined, undefined, "#fdebd0", undefined, "#d6eaf8"];

  /** Words of every kind, each in a colour, some on a background: rows as text, and as columns with their looks. */
  async function mixed(columns, rows) {
    const [{ intern }, { columnsOf }] = await Promise.all([module("model/cell.js"), module("model/text.js")]);
    const lines = [];
    for (let y = 0, n = 0; y < rows; y++) {
      const line = { text: "", chars: [], styles: [] };
      while (line.chars.length < columns) {
        const word = `${WORDS[(n += 1 + (y % 3)) % WORDS.length]} `;
        const chars = columnsOf(word);
        if (line.chars.length + chars.length > columns) {
          while (line.chars.length < columns) line.chars.push(" "), line.styles.push(intern({})), (line.text += " ");
          break;
        }
        const style = intern({ color: COLORS[n % COLORS.length], bgColor: BACKS[n % BACKS.length] });
        for (const char of chars) line.chars.push(char), line.styles.push(style);
        line.text += word;
      }
      lines.push(line);
    }
    return lines;
  }

  /** A canvas of the page's own painter, with a camera of its own, over rows of columns. */
  async function painter(lines, columns, rows, zoom = 1) {
    const [{ CellCanvas }, { Viewport }, { Typeface }, { Theme }, { Scene }] = await Promise.all(
      ["view/canvas.js", "view/viewport.js", "view/glyphs.js", "view/theme.js", "model/scene.js"].map(module),
    );
    const scene = new Scene();
    lines.forEach((line, y) => scene.put(y, 0, line));
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [columns * 9, rows * 20];
    const camera = new Viewport();
    camera.resize(canvas.width, canvas.height, 1);
    camera.restore({ x: 0, y: 0, zoom });
    const typeface = new Typeface();
    typeface.refresh();
    typeface.use(9, 20);
    const cells = new CellCanvas(canvas, camera, typeface, new Theme());
    cells.show({ strip: (y, x0, x1) => scene.strip(y, x0, x1), bounds: () => scene.bounds(), size: null });
    return { cells, camera, canvas, paper: canvas.getContext("2d"), font: typeface.font(undefined) };
  }

  /** The pixels are there: what was only noted down is drawn before a pixel can be read. */
  function timed(paper, paint) {
    const begun = performance.now();
    paint();
    paper.getImageData(0, 0, 1, 1);
    return performance.now() - begun;
  }

  /** A full repaint, and one fillText for each of the same cells, in turn. */
  async function repaint({ columns, rows, rounds }) {
    await document.fonts.ready;
    const lines = await mixed(columns, rows);
    const { cells, paper, font } = await painter(lines, columns, rows);
    const bare = document.createElement("canvas");
    [bare.width, bare.height] = [columns * 9, rows * 20];
    const pen = bare.getContext("2d", { alpha: false });
    const floor = () => {
      pen.font = font;
      lines.forEach(({ chars, styles }, y) =>
        chars.forEach((char, x) => {
          pen.fillStyle = styles[x].color ?? "#000";
          if (char) pen.fillText(char, x * 9, y * 20 + 15);
        }),
      );
    };
    const times = { paint: [], floor: [] };
    for (let round = 0; round < rounds + 3; round++) {
      times.floor.push(timed(pen, floor));
      times.paint.push(timed(paper, () => (cells.invalidateAll(), cells.paint())));
    }
    return { paint: median(times.paint.slice(3)), floor: median(times.floor.slice(3)) };
  }

  /** The gaps between frames while something goes on with each of them. */
  async function gaps(frames, each) {
    const found = [];
    let last = await frame();
    for (let n = 0; n < frames; n++) {
      each(n);
      const now = await frame();
      found.push(now - last);
      last = now;
    }
    return found;
  }

  /** A pan over the sheet that is shown, in a wide circle; and the same frames with nothing to do. */
  async function pan({ frames, x, y }) {
    const { viewport } = desk();
    viewport.zoomTo(1);
    viewport.center(x, y);
    const paints = [];
    const step = (n) => {
      viewport.pan(47 * Math.cos(n / 40), 31 * Math.sin(n / 40));
      paints.push(performance.getEntriesByName("paint").at(-1)?.duration ?? 0);
    };
    const idle = await gaps(frames, () => undefined);
    return { idle, pan: await gaps(frames, step), paints };
  }

  /** The paints of a far view, each with the camera a little elsewhere. */
  async function far({ frames, columns, x, y }) {
    const { viewport } = desk();
    viewport.zoomTo((viewport.size.width / columns) / 9);
    viewport.center(x, y);
    await frame();
    const paints = [];
    for (let n = 0; n < frames; n++) {
      viewport.pan(n % 2 ? 9 : -9, 0);
      await frame();
      await new Promise((done) => setTimeout(done));
      paints.push(performance.getEntriesByName("paint").at(-1).duration);
    }
    const [, , across, down] = viewport.visible();
    viewport.reset();
    return { paint: median(paints), visible: across * down };
  }

  /** Tells the longest time that nothing else could run, from its call until `done` is called. */
  function blocked() {
    const { port1, port2 } = new MessageChannel();
    let last = performance.now();
    let longest = 0;
    port1.onmessage = () => {
      const now = performance.now();
      longest = Math.max(longest, now - last);
      last = now;
      port2.postMessage(null);
    };
    port2.postMessage(null);
    return () => (port1.close(), longest);
  }

  /** How long the page hangs from an edit until the broker has confirmed it and it is painted. */
  async function hang(edit) {
    const done = blocked();
    await frame();
    const begun = performance.now();
    edit();
    const call = performance.now() - begun;
    do await frame();
    while (desk().replica.pendingCount > 0);
    await frame();
    return { hang: done(), call };
  }

  async function paste({ columns, rows, at }) {
    const material = (await mixed(columns, rows)).map(({ text }) => text).join("\n");
    return hang(() => desk().perform({ kind: "paste", at, material, format: "text" }));
  }

  /** A frame around empty cells, and how long the page hangs when they are filled: planned twice, as a press does. */
  async function area({ columns, rows, at: [x, y] }) {
    const { flooded } = await module("edit/area.js");
    const full = "#".repeat(columns + 2);
    const sides = `#${" ".repeat(columns)}#\n`.repeat(rows);
    await hang(() => desk().perform({ kind: "paste", at: [x, y], material: `${full}\n${sides}${full}`, format: "text" }));
    const room = { rect: desk().replica.bounds(), hasEdge: false };
    const plan = (cells) => flooded(cells, [x + 1, y + 1], { glyph: "░", style: { color: "accent" }, room });
    return hang(() => {
      desk().replica.sketch(plan);
      desk().replica.strip(0, 0, 1);
      desk().replica.sketch(null);
      desk().perform(plan(desk().replica));
    });
  }

  /** For each key: how long until it was painted, and in which frame after it. */
  function keys() {
    const seen = { keys: [], frames: [], paints: [] };
    const tick = () => (seen.frames.push(performance.now()), requestAnimationFrame(tick));
    requestAnimationFrame(tick);
    document.addEventListener("keydown", () => seen.keys.push(performance.now()), true);
    new PerformanceObserver((list) => {
      for (const { startTime, duration } of list.getEntriesByName("paint")) seen.paints.push(startTime + duration);
    }).observe({ entryTypes: ["measure"] });
    return () =>
      seen.keys.map((key) => {
        const painted = seen.paints.find((end) => end >= key) ?? Infinity;
        return { wait: painted - key, frames: seen.frames.filter((at) => at >= key && at <= painted).length };
      });
  }

  window.probes = { repaint, pan, far, paste, area, hang, keys, frame, mixed };
})();
