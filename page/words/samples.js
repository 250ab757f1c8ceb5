// @ts-check
/** Canvases to begin with, in English: each is one text as it stands. */

/** @typedef {{ name: string, words: string, content: string }} Sample */

/** @type {readonly Sample[]} */
export const SAMPLES = [
  {
    name: "System sketch",
    words: "boxes and arrows of a small service",
    content: String.raw`
 ┌───────────┐        ┌───────────┐        ┌────────────┐
 │  Browser  │ HTTPS  │  Gateway  │  RPC   │   Orders   │
 │  (pages)  ├───────▶│  (auth)   ├───────▶│ (business) │
 └───────────┘        └─────┬─────┘        └──────┬─────┘
                            │                     │
                            │ events              │ SQL
                            ▼                     ▼
                      ┌───────────┐        ╔════════════╗
                      │   Queue   │───────▶║  Postgres  ║
                      └───────────┘ worker ╚════════════╝

  Ask an agent: "Explain this drawing", or "Add a cache between
  the gateway and the orders service, as a preview".`,
  },
  {
    name: "Plan of the week",
    words: "a table that people and agents fill in together",
    content: String.raw`
 ╭──────────────┬─────────┬──────────┬───────────────────────╮
 │ What         │ Who     │ Until    │ State                 │
 ├──────────────┼─────────┼──────────┼───────────────────────┤
 │ Draft        │ Ada     │ Tuesday  │ ████████░░  80 %      │
 │ Review       │ codex   │ Wednesday│ ██░░░░░░░░  20 %      │
 │ Pictures     │ claude  │ Thursday │ ░░░░░░░░░░  open      │
 │ 公開 🚀      │ all     │ Friday   │ ░░░░░░░░░░  open      │
 ╰──────────────┴─────────┴──────────┴───────────────────────╯

  Wide characters take two columns, so tables stay straight.`,
  },
  {
    name: "Screen mock-up",
    words: "a user interface to talk about before it is built",
    content: String.raw`
 ╔════════════════════════════════════════════════╗
 ║ ◀ ▶ ⟳  https://shop.example/basket          ☰ ║
 ╠════════════════════════════════════════════════╣
 ║  Your basket                                   ║
 ║  ┌──────┐  Lamp, brass            1 ×   49.00  ║
 ║  │ ░░░░ │  [ remove ]                          ║
 ║  └──────┘                                      ║
 ║                              Total     49.00   ║
 ║                         ┏━━━━━━━━━━━━━━━━━━┓   ║
 ║                         ┃    Check out     ┃   ║
 ║                         ┗━━━━━━━━━━━━━━━━━━┛   ║
 ╚════════════════════════════════════════════════╝`,
  },
];
