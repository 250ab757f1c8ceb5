// @ts-check
/** The English words of the page's own HTML, and of what was done with which tool. */

export const EN_PAGE = {
  /** What the HTML leaves to be said, by the key that its `data-say`, `data-label` and `data-hint` name. */
  page: /** @type {Readonly<Record<string, string>>} */ ({
    canvases: "Canvases",
    toolbar: "Canvas tools",
    history: "History",
    help: "Help",
    helpHint: "Help (F1)",
    settings: "Settings",
    settingsHint: "Settings (Ctrl+,)",
    side: "Agents and activity",
    stage: "Canvas",
    field: "Canvas. Type to draw; arrow keys move; F6 goes to the next part of the page.",
    hint: "Click and type, or connect an agent:",
    greeting: "Welcome",
    mirror: "Text of the canvas",
    here: "Here now",
    letters: "Messages",
    conflicts: "Not placed",
    previews: "Proposed",
    pins: "Pinned",
    activity: "Activity",
    status: "Status",
    desk: "Desk",
    agents: "Agents",
    openCanvas: "Open the canvas",
    gateTitle: "This browser needs a key",
    gateRun: "In a terminal on this machine, run",
    gateCheckout: "or, in a checkout,",
    gateThen: "and the page opens with a one-time key. It is kept, so you do this once for each browser.",
    gateBack: "and come back to this page.",
  }),

  /** What somebody did, after their name: by tool, by gesture of the person, or by what the desk did itself. */
  deeds: /** @type {Readonly<Record<string, string>>} */ ({
    write: "wrote",
    erase: "erased",
    fill: "coloured",
    render: "drew",
    move: "moved cells",
    manage: "arranged canvases",
    batch: "made several changes",
    code: "ran a script",
    undo: "undid a change",
    redo: "redid a change",
    restore: "went back in time",
    pencil: "drew",
    eraser: "erased",
    brush: "coloured",
    box: "drew a box",
    line: "drew a line",
    arrow: "drew an arrow",
    area: "filled an area",
    clear: "cleared cells",
    duplicate: "duplicated cells",
    paste: "pasted",
    typing: "typed",
    desk: "was set up",
  }),

  /** The same as something that goes on, is proposed, or can be taken back. */
  works: /** @type {Readonly<Record<string, string>>} */ ({
    read: "reading",
    search: "searching",
    write: "writing",
    erase: "erasing",
    fill: "colouring",
    render: "drawing",
    move: "moving cells",
    manage: "arranging canvases",
    batch: "several changes",
    code: "a script",
    history: "looking back",
    review: "asking you",
    inbox: "waiting for messages",
    coordinate: "talking to other agents",
    "read materials": "reading the materials",
    undo: "an undo",
    redo: "a redo",
    restore: "going back in time",
    pencil: "drawing",
    eraser: "erasing",
    brush: "colouring",
    box: "a box",
    line: "a line",
    arrow: "an arrow",
    area: "filling an area",
    clear: "clearing cells",
    duplicate: "duplicating cells",
    paste: "pasting",
    typing: "typing",
    desk: "the beginning",
  }),

  // How a script ran
  /** @param {string} name @param {string} version @param {number} ms */
  ranBy: (name, version, ms) => `Run by ${name} (${version}) in ${ms.toLocaleString("en")} ms.`,
  held: {
    /** @param {string} what */
    enforce: (what) => `Limits that this machine enforced: ${what}.`,
    /** @param {string} what */
    attest: (what) => `Limits that only the engine vouches for: ${what}.`,
    /** @param {string} what */
    unsupported: (what) => `Not limited: ${what}.`,
  },
  dimensions: /** @type {Readonly<Record<string, string>>} */ ({
    read: "reading files",
    write: "writing files",
    command: "other programs",
    network: "the network",
    env: "environment variables",
    cpu: "computing time",
    memory: "memory",
    stack: "depth of calls",
    output: "output",
  }),
  fingerprints: "Evidence (SHA-256)",
  facts: /** @type {Readonly<Record<string, string>>} */ ({
    codeSha256: "Script",
    inputsSha256: "What it read",
    changeSha256: "What it changed",
    operations: "Operations",
    seed: "Seed of its chance",
  }),

  /** The tag on a ghost. @param {string} who @param {string} what */
  ghostTag: (who, what) => `${who} · ${what}`,

  /** What the page refuses by itself, in two sentences: what is wrong, and what to do. By its code. */
  refusals: /** @type {Readonly<Record<string, readonly [string, string]>>} */ ({
    broker_unavailable: ["The page is not connected to the desk.", "Try again when the page is live."],
    replaced: ["Another page holds the desk.", "Take over, then do it again."],
  }),
};
