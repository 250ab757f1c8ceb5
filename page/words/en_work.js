// @ts-check
/** @import { ArrangeStep } from "../wire/messages.js" */
/** @import { Why } from "../edit/refusal.js" */
/** The English sentences about work on the sheet: tools, clipboard, search, and how the page stands with the broker. */

/** "1 cell", "2 cells" @param {number} count @param {string} noun */
export const counted = (count, noun) => `${count.toLocaleString("en")} ${noun}${count === 1 ? "" : "s"}`;

export const EN_WORK = {
  // Proposals
  /** @param {string} who @param {string} what */
  proposes: (who, what) => `${who} proposes ${what}`,
  /** @param {number} width @param {number} height @param {number} x @param {number} y */
  place: (width, height, x, y) => `${width} × ${height} at ${x}, ${y}`,
  /** @param {number} count */
  overwrites: (count) => `overwrites ${counted(count, "cell")}`,
  /** @param {number} count */
  clears: (count) => `clears ${counted(count, "cell")}`,
  /** @param {number} count */
  restyles: (count) => `restyles ${counted(count, "cell")}`,
  /** @param {string} name */
  asks: (name) => `${name} waits for your decision.`,
  /** @type {Record<ArrangeStep["kind"], (step: ArrangeStep) => string>} */
  arranges: {
    sheet_added: ({ name, cells }) => `New sheet ${name}${cells ? `, ${cells} cells` : ""}`,
    sheet_removed: ({ name, cells }) => `Deletes sheet ${name}${cells ? `, ${cells} cells` : ""}`,
    sheet_moved: ({ name, before, after }) => `Moves sheet ${name} from place ${before} to ${after}`,
    sheet_resized: ({ name, before, after }) => `Resizes sheet ${name} from ${before} to ${after}`,
    sheet_renamed: ({ before, after }) => `Renames sheet ${before} to ${after}`,
    sheet_noted: ({ name, after }) => (after ? `Notes on sheet ${name}: ${after}` : `Takes the note off sheet ${name}`),
    canvas_added: ({ name }) => `New canvas ${name}`,
    canvas_removed: ({ name }) => `Removes canvas ${name}`,
    canvas_renamed: ({ before, after }) => `Renames canvas ${before} to ${after}`,
    canvas_archived: ({ name }) => `Archives canvas ${name}`,
    canvas_unarchived: ({ name }) => `Takes canvas ${name} out of the archive`,
  },
  /** @param {number} n */
  moreSteps: (n) => `and ${n} more`,
  withNote: "With a note",
  vetoNote: "Why not? The agent reads this.",
  /** @param {number} n @param {number} all */
  alternative: (n, all) => `Alternative ${n} of ${all}: applying one ends the others`,
  before: "Before",
  beforeHint: "Show the cells as they are without it",

  // The bar above the stage, and the line below it
  redo: "Redo",
  zoomIn: "Zoom in",
  zoomOut: "Zoom out",
  /** @param {string} percent */
  zoomReset: (percent) => `Zoom ${percent}, press for 100%`,
  fit: "Fit everything",
  origin: "Go to the origin",
  /** @param {number} columns @param {number} rows */
  selectedSize: (columns, rows) => `${columns} × ${rows} selected`,
  /** @param {string} canvas */
  pageTitle: (canvas) => `${canvas} · Chardesk`,
  dismissNotice: "Dismiss this message",

  // Tools
  tools: "Tools",
  toolOptions: "Options of the tool",
  toolNames: {
    select: "Select",
    text: "Text",
    pencil: "Pencil",
    eraser: "Eraser",
    box: "Box",
    line: "Line",
    arrow: "Arrow",
    area: "Fill area",
    brush: "Colour brush",
    picker: "Eyedropper",
    hand: "Hand",
  },
  /** @param {string} name @param {string} key */
  keyed: (name, key) => `${name} (${key})`,
  border: "Border",
  borders: { light: "Light", heavy: "Heavy", double: "Double", round: "Rounded", ascii: "ASCII" },
  boxTitle: "Title",
  boxTitleHint: "Title of the next boxes",
  glyph: "Glyph",
  glyphHint: "Glyph to draw with: any character",
  /** @param {string} glyph */
  drawWith: (glyph) => `Draw with ${glyph}`,
  elbow: "Turn a corner",
  joins: "Join what lines meet",
  look: "Look",
  textColor: "Colour of the text",
  backColor: "Colour behind the text",
  /** @param {string} label @param {string | undefined} color */
  colorNow: (label, color) => `${label}: ${color ?? "none"}`,
  noColor: "None",
  otherColor: "Any other colour",
  colors: { accent: "Accent", info: "Info", success: "Success", warning: "Warning", danger: "Danger", muted: "Muted" },
  attrs: {
    bold: "Bold",
    italic: "Italic",
    underline: "Underline",
    strike: "Strike through",
    inverse: "Inverse",
  },
  insertion: "Insertion",
  insertionHint: "Ins: typed text makes room (Insert)",
  /** What is wrong, and what to do. @type {Readonly<Record<Why, (limit: string) => readonly [string, string]>>} */
  cannot: {
    area_open: (limit) => ["The area is not closed.", `Close its border; an area may have ${limit} cells.`],
    selection_large: (limit) => ["The selection is too large for that.", `Select at most ${limit} cells.`],
  },

  // The menu of the sheet, and the clipboard
  selection: "Selection",
  cut: "Cut",
  copyForTerminal: "Copy with terminal colours",
  copyAsAscii: "Copy as plain ASCII",
  copyAsImage: "Copy as an image",
  paste: "Paste",
  deleteCells: "Delete",
  selectConnected: "Select connected drawing",
  selectAll: "Select everything",
  pasteAs: {
    ansi: "Paste as terminal text with its colours",
    markdown: "Paste as Markdown, drawn",
    text: "Paste as plain text",
  },
  /** @param {number} count @param {string} names */
  leftOut: (count, names) =>
    `${counted(count, "character")} that no cell can hold ${count === 1 ? "was" : "were"} left out: ${names}`,
  tooManyRows: "That is too many rows to copy. Select less.",
  noPicture: "That is no picture to copy.",
  /** @param {string} most */
  pictureHint: (most) => `Select 1 to ${most} cells.`,
  clipboardBlocked: "The browser did not let this page use the clipboard.",
  copyByKey: "Copy with Ctrl+C.",
  pasteByKey: "Paste with Ctrl+V.",

  // Search, and what happened out of sight
  find: "Find on this sheet",
  findRegex: "Regular expression (RE2)",
  findCase: "Match case",
  findPrevious: "Previous match (Shift+F3)",
  findNext: "Next match (F3)",
  findClose: "Close the search (Escape)",
  goTo: "Go to",
  goToHint: "Column and row to go to",
  goToFault: "Two whole numbers: column, row.",
  /** @param {number} count */
  outOfSight: (count) => `${counted(count, "change")} out of sight`,
  /** @param {string} words */
  outOfSightHint: (words) => `${words}. Go to the next (F8)`,

  // How the page stands with the broker
  states: {
    connecting: "Connecting",
    live: "Live",
    offline: "Offline",
    read_only: "Read only",
    locked: "Locked",
    outdated: "Update ready",
  },
  /** @param {string} state @param {number} count */
  unsent: (state, count) => `${state}, ${counted(count, "unsent edit")}`,
  /** @param {string} state */
  slow: (state) => `${state}, slow`,
  slowHint: "The desk takes more than a second to answer. What you do is kept here until it has it.",
  storageFull: "The browser's storage is full: a reload would lose what is unsent.",
  saveAsFile: "Save as a text file",
  seatElsewhere: "Another page holds the desk.",
  takeOver: "Take over",
  readOnly: "This page is read-only.",
  readOnlyHint: "Take over to edit here.",
  /** @param {number} unsent */
  updated: (unsent) => `Chardesk was updated.${unsent ? ` ${counted(unsent, "unsent edit")} will be kept.` : ""}`,
  reload: "Reload to update",
  /** @param {string} author */
  wentStale: (author) => `${author}'s proposal went: the cells under it changed.`,
};
