// @ts-check
import { EN_COMPANY } from "./en_company.js";
import { EN_PAGE } from "./en_page.js";
import { EN_WORK, counted } from "./en_work.js";
import { SAMPLES } from "./samples.js";

/** Every sentence of the panels, in English. A language is files like this one, named in `language.js`. */

/** "selectLeft" is "select left". @param {string} name */
const spaced = (name) => name.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

/** Topics of the materials that are not called as their name begins. @type {Readonly<Record<string, string>>} */
const TOPICS = { ansi: "ANSI", "canvas.d.ts": "Script types" };

export const EN = {
  ...EN_WORK,
  ...EN_COMPANY,
  ...EN_PAGE,

  /** What the page says of its language. BCP 47. */
  tag: "en",

  // Everywhere
  close: "Close",
  cancel: "Cancel",
  show: "Show",
  undo: "Undo",
  rename: "Rename",
  duplicate: "Duplicate",
  apply: "Apply",
  dismiss: "Dismiss",
  copy: "Copy",
  copied: "Copied",
  drop: "Drop",
  back: "Back",
  next: "Next",
  done: "Done",
  loading: "Loading…",
  opensLater: "Another canvas opens only while this page is connected.",
  /** @param {number} waiting */
  diskRefuses: (waiting) =>
    "The desk's disk is full or read-only: nothing can be kept until it has room." +
    (waiting ? ` ${counted(waiting, "edit")} of yours ${waiting === 1 ? "waits" : "wait"} here.` : ""),
  notConnected: "Not connected. Try again when the page is live.",
  /** @param {string} name */
  moreOf: (name) => `More for ${name}`,
  authors: /** @type {Readonly<Record<string, string>>} */ ({
    person: "You",
    cli: "Command line",
    desk: "The desk",
    "browser-agent": "Browser agent",
    "reading-agent": "Reading agent",
  }),
  accepted: "accepted",
  /** @param {string} name */
  appliedBy: (name) => `by ${name}`,

  // Canvases and slides
  canvases: "Canvases",
  newCanvas: "New canvas",
  newFreeform: "Endless canvas",
  newSlides: "Slides",
  archive: "Archive",
  restore: "Restore",
  openReader: "Open the reading page",
  /** @param {string} name */
  restoreOf: (name) => `Restore ${name}`,
  /** @param {number} count */
  archived: (count) => `Archived (${count})`,
  /** @param {string} name */
  newNameOf: (name) => `New name of ${name}`,
  /** @param {number} n */
  slide: (n) => `Slide ${n}`,
  /** @param {number} n @param {string} name */
  slideNamed: (n, name) => `${n} ${name}`,
  moveHint: "Drag, or Alt with the arrow keys, to move",
  addSlide: "Add a slide",
  moveUp: "Move up",
  moveDown: "Move down",
  deleteSlide: "Delete",
  resize: "Resize",
  /** @param {string} name */
  resizeOf: (name) => `Resize ${name}`,
  columns: "Columns",
  rows: "Rows",
  cropAgree: "Drop what no longer fits",
  cropWarning: "Some cells would be cropped. Tick the box to drop them; undo brings them back.",
  present: "Present",
  previousSlide: "Previous slide",
  nextSlide: "Next slide",
  endShow: "End the presentation",
  speakersNote: "Your note for this slide",
  noSpeakersNote: "This slide has no note.",
  /** @param {number} n @param {number} all */
  slideOf: (n, all) => `${n} of ${all}`,

  // Activity and stories
  everybody: "Everybody",
  filterBy: "Show what whom did",
  nothingYet: "Nothing yet.",
  undoAll: "Undo all",
  /** @param {string} who */
  undoAllBy: (who) => `Undo all by ${who}`,
  /** @param {number} count */
  undoAllWords: (count) =>
    `${counted(count, "operation")} will be taken back, newest first. What others have built upon stays.`,
  /** @param {string} who */
  nothingToUndo: (who) => `Nothing of ${who} is left to undo.`,
  /** @param {number} done @param {number} left */
  undoneAll: (done, left) =>
    `${counted(done, "operation")} undone${left ? `; ${left} stay, since others have built upon them` : ""}.`,
  /** @param {string} who @param {string} what */
  undoOf: (who, what) => `Undo ${what} by ${who}`,
  /** @param {string} who @param {string} what */
  showOf: (who, what) => `Show ${what} by ${who}`,
  /** @param {number} x @param {number} y */
  whyHere: (x, y) => `Why is this here? (${x}, ${y})`,
  why: "Why is this here?",
  nobodyHere: "Nobody has written here, or it was too long ago.",

  history: "History",
  /** @param {string} who @param {string} deed */
  didThis: (who, deed) => `${who} ${deed}`,
  noCells: "It changed no cells.",
  historyHint: "Choose an entry to see what it changed, or compare two moments.",
  older: "Older",
  now: "now",
  compare: "Compare",
  compareFrom: "Compare from",
  compareTo: "Compare with",
  /** @param {string} name */
  compareWithNow: (name) => `Compare ${name} with now`,
  tagName: "Name for this moment",
  tagNow: "Tag",
  /** @param {string} name */
  dropTag: (name) => `Drop the tag ${name}`,
  restoreThis: "Restore",
  /** @param {string} what */
  restoreTo: (what) => `Restore to ${what}`,
  restoreWords: "The sheet becomes what it was then, as one step that can be undone.",

  // Never lost
  placeAnyway: "Place anyway",
  placing: "Placing…",
  placeAfterTurn: "Its sheet opens; press again to place it there.",
  sheetGone: "Its sheet is gone. Copy the text, or save it as a file.",
  notPlaced: "Others changed the same cells while you were away. What could not be placed is kept under “Not placed”.",
  saveUnplaced: "Save what could not be placed as a text file",
  fileUnplaced: "Not placed",
  fileUnsent: "Not sent yet",
  fileSheet: "The sheet as it is shown",
  /** @param {string} sheet @param {number} x @param {number} y */
  fileAt: (sheet, x, y) => `${sheet}, at ${x}, ${y}`,
  /** @param {string} text */
  typedAway: (text) => `“${text}”, while the desk was away`,
  /** @param {string} what */
  doneAway: (what) => `${what}, while the desk was away`,
  gestures: /** @type {Readonly<Record<string, string>>} */ ({
    cells: "Drawing",
    text: "Typing",
    paste: "Pasting",
    erase: "Erasing",
    fill: "Filling",
    move: "Moving",
  }),

  // Settings
  settings: "Settings",
  settingsKept: "Kept in this browser, for you alone.",
  choiceNames: {
    theme: "Theme",
    font: "Font of the canvas",
    cells: "Cell size",
    grid: "Grid",
    rulers: "Rulers",
    paste: "Paste",
    keys: "Keys in tooltips",
  },
  choices: {
    theme: { system: "System", light: "Light", dark: "Dark", paper: "Paper", contrast: "High contrast" },
    font: { iosevka: "Iosevka", system: "System", unifont: "Unifont" },
    cells: { small: "Small", medium: "Medium", large: "Large", huge: "Huge" },
    grid: { on: "Dots", off: "Off" },
    rulers: { on: "On", off: "Off" },
    paste: { ask: "Ask", text: "As text", ansi: "As terminal output", markdown: "As Markdown" },
    keys: { on: "Shown", off: "Hidden" },
  },

  // Help and first run
  help: "Help",
  topics: "Topics",
  keys: "Keys",
  tour: "Take the tour",
  /** @param {string} name */
  topic: (name) => TOPICS[name] ?? name.slice(0, 1).toUpperCase() + name.slice(1),
  /** @param {string} command */
  command: (command) => spaced(command),
  pageKeys: /** @type {readonly (readonly [string, string])[]} */ ([
    ["F1", "help"],
    ["F2", "why is this here? (on the canvas); rename (in the list)"],
    ["F6", "next part of the page"],
    ["Shift+F6", "previous part of the page"],
    ["Mod+,", "settings"],
  ]),
  leaveTour: "Leave",
  /** @param {number} n @param {number} all */
  stepOf: (n, all) => `${n} of ${all}`,
  tourSteps: /** @type {readonly (readonly [string, string])[]} */ ([
    ["The canvas", "Click a cell and type. Arrow keys move, Shift selects, Ctrl+Z takes back what you did."],
    ["The tools", "Type, draw, erase and colour with these. Every tool has a key, and options of its own."],
    ["Canvases", "Endless sheets and slides. Slides are moved by dragging and shown with Present."],
    ["Agents", "Who is here and what each is doing. Choose what an agent may do, pause all, or revoke one."],
    ["Activity", "Everything that happened. Undo one step, or all by one author. Nobody's undo takes your work."],
    ["Help", "The same texts that agents read, and all keys. That was it: draw something."],
  ]),
  welcome: "Welcome to your desk",
  welcomeWords: "A canvas of characters that you and your agents share. What is drawn stays text.",
  welcomePoints: /** @type {readonly (readonly [string, string])[]} */ ([
    ["Type anywhere.", "Click a cell and write; Enter goes to the next line."],
    ["Watch agents draw.", "What they propose shows as a ghost: apply it or dismiss it."],
    ["Nothing is lost.", "Every step is kept, can be undone, and survives a crash."],
  ]),
  startDrawing: "Start drawing",
  samples: "Or begin with a sample",
  sampleCanvases: SAMPLES,
  connectTitle: "Connect an agent",
  host: "Your agent",
  hosts: /** @type {Readonly<Record<string, string>>} */ ({
    "claude-code": "Claude Code",
    "claude-desktop": "Claude Desktop",
    codex: "Codex",
    cursor: "Cursor",
    vscode: "VS Code",
  }),
  connectChoose: "Your agent runs in",
  /** @param {string} where */
  connectWhere: (where) => `Copy this ${where.replace(/^run this/, "and run it")}.`,
  connectAsk: "Start your agent and ask it to draw something.",
  waitingForAgent: "Waiting for an agent to join…",
  /** @param {string} names */
  agentJoined: (names) => `✓ ${names} joined. It may draw now.`,

  // Text mirror
  /** @param {number} y */
  row: (y) => `Row ${y}: `,
  emptyView: "Nothing is written in this part of the canvas.",

  // Reader and desk pages
  reading: "Reading",
  editHere: "Open the canvas",
  away: "not here",
  /** @param {"freeform" | "slides"} kind @param {number} sheets @param {boolean} archived */
  kindOf: (kind, sheets, archived) =>
    (kind === "slides" ? counted(sheets, "slide") : "endless") + (archived ? ", archived" : ""),
};
