// @ts-check
/** The English sentences about agents: who is here, what they may do, propose, say and point at. */
import { counted } from "./en_work.js";

export const EN_COMPANY = {
  // Agents
  connectAgent: "Connect an agent",
  nobody: "No agent yet.",
  pauseAll: "Pause all",
  resumeAll: "Resume all",
  paused: "paused",
  idle: "idle",
  /** @param {number} count */
  queued: (count) => `${counted(count, "call")} waiting`,
  /** @param {number} count */
  notHere: (count) => `Not here now (${count})`,
  stopRun: "Stop what it is running",
  revoke: "Revoke",
  revoked: "revoked",
  letIn: "Let in again",
  /** @param {string} name */
  letInOf: (name) => `Let ${name} in again`,
  /** @param {string} name */
  revokeTitle: (name) => `Revoke ${name}?`,
  revokeWords:
    "Its connection is closed, its waiting calls are dropped and its proposals are withdrawn. What it drew stays. " +
    "It stays out until you let it in again.",
  grants: { observe: "observe", propose: "propose", apply: "apply" },
  grantHint: "observe: may only look. propose: you decide about every change. apply: may change cells.",
  /** @param {string} name */
  grantOf: (name) => `What ${name} may do`,

  /** @param {string} name */
  reachOf: (name) => `Where ${name} may change cells`,
  reachHint: "Elsewhere it may only look. Select cells first to choose a rectangle.",
  reaches: {
    everywhere: "Everywhere",
    canvas: "This canvas",
    selected: "The selected rectangle",
    added: "The selected rectangle too",
  },
  /** @param {string} words */
  onlyIn: (words) => `Only ${words}`,
  reachGone: "what is gone",
  /** @param {string} sheet @param {string} canvas */
  onSheet: (sheet, canvas) => `${sheet} of ${canvas}`,
  /** @param {string} place @param {string} sheet */
  onPlace: (place, sheet) => `${place} on ${sheet}`,
  /** @param {string} words @param {number} count */
  andMore: (words, count) => `${words} and ${count} more`,
  features: {
    code: { name: "scripts", allow: "Let it run scripts", deny: "Turn scripts off" },
    images: { name: "pictures", allow: "Let it look at pictures", deny: "Turn pictures off" },
    files: { name: "files", allow: "Let it read its files", deny: "Turn files off" },
    pages: { name: "new pages", allow: "Let it add and delete pages", deny: "Turn new and deleted pages off" },
  },
  /** @param {readonly string[]} names */
  without: (names) => `without ${names.join(", ")}`,
  /** @param {string} problem */
  policyProblem: (problem) => `Agents may only look until the desk's policy.json is corrected: ${problem}`,

  lend: "Let it apply for 10 minutes",
  /** @param {string} time */
  lentUntil: (time) => `may apply until ${time}`,
  newcomers: "New agents may",

  /** @param {number} count */
  cells: (count) => counted(count, "cell"),
  answerLost: "The connection broke before the answer came. Decide again once the page is live.",

  // Pins and chips
  pins: "Pinned for agents",
  noPins: "Nothing. Agents look first at what you pin.",
  pin: "Pin",
  pinSelection: "Pin selection",
  selectFirst: "Select cells first: drag over them, or hold Shift with the arrow keys.",
  pinNote: "A note for the agents",
  /** @param {string} place */
  pinTitle: (place) => `Pin ${place}`,
  /** @param {string} words */
  showPin: (words) => `Show the pin: ${words}`,
  /** @param {string} words */
  unpin: (words) => `Remove the pin: ${words}`,
  looksHere: "asks you to look here",

  // What this page may not do now, and why
  missing: {
    connecting: "The page is not connected yet.",
    live: "",
    offline: "Not now: the desk is away.",
    read_only: "Another page holds the desk. Take over to do this here.",
    locked: "This browser is not let in.",
    outdated: "Not before the page is reloaded.",
  },

  // Lines between the person and agents
  /** @param {string} name */
  writeTo: (name) => `Write to ${name}`,
  /** @param {string} name */
  lineTo: (name) => `To ${name}`,
  /** @param {string} name */
  youTo: (name) => `You to ${name}`,
  sendLine: "Send",
  reply: "Reply",
  putAway: "Put away",
  hideLine: "Hide this message",
  fates: {
    unsent: "not sent yet",
    waiting: "waits until the agent looks into its inbox",
    given: "given to the agent",
    read: "read",
    parked: "given out five times and never taken",
  },
  /** @param {string} who @param {string} text */
  saysTo: (who, text) => `${who}: ${text}`,
};
