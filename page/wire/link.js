// @ts-check
/**
 * @import { Change, Done, Edit, EditOp, FromPage, Hello, MAX_FRAME_BYTES, PROTOCOL, RefusedEdit, Snapshot, ToPage, Welcome } from "./messages.js"
 * @import { Result } from "./calls.js"
 * @import { Credentials } from "./credentials.js"
 * @import { Drafts } from "./drafts.js"
 * @import { Shelf, State } from "./news.js"
 * @import { Rect } from "../model/region.js"
 * @import { Socket, World } from "./socket.js"
 */
import { utf8Length } from "../lib/bytes.js";
import { unreachable } from "../lib/unreachable.js";
import { Calls, NOT_CONNECTED } from "./calls.js";
import { News } from "./news.js";
import { Outbox } from "./outbox.js";
import { Sight } from "./sight.js";

/** @type {PROTOCOL} */
const PROTOCOL_SPOKEN = 1;
/** @type {MAX_FRAME_BYTES} */
const MAX_BYTES = 1_048_576;
/** What the broker closes with when it knows neither code nor token. */
const NOT_LET_IN = 4401;

/** The page's conversation with the broker. It knows messages and order; what they mean for cells is the replica's. */
export class Link extends News {
  #socket;
  #credentials;
  #drafts;
  #outbox;
  #sight;
  #toolCalls = new Calls();
  #webMcpCalls = new Calls();
  #epoch = 0;
  /** The sheet that is shown, and up to where the page has it: 0 until its snapshot is there. */
  #shown = { sheet: "", seq: 0 };
  #wantsSeat = false;
  /** What the broker did not let in; showing it again would be no use. */
  #refusedProof = "";

  /**
   * @param {object} parts
   * @param {Socket} parts.socket
   * @param {Credentials} parts.credentials
   * @param {Drafts} parts.drafts
   * @param {World} parts.world
   * @param {NonNullable<Hello["kind"]>} [parts.kind]
   */
  constructor({ socket, credentials, drafts, world, kind = "canvas" }) {
    super();
    this.#socket = socket;
    this.#credentials = credentials;
    this.#drafts = drafts;
    this.kind = kind;
    this.#outbox = new Outbox(drafts);
    this.#sight = new Sight(world, (message) => this.state.value === "live" && this.#send(message));
    socket.opened.subscribe(() => this.#hello());
    socket.message.subscribe((text) => this.#receive(JSON.parse(text)));
    socket.closed.subscribe(({ code }) => this.#lost(code));
  }

  /** How many edits the broker has not answered. */
  get unsent() {
    return this.#outbox.count;
  }

  /** Does the browser's storage refuse drafts, so that a reload would lose what is unsent? */
  get isStorageFailing() {
    return this.#drafts.isFailing;
  }

  /** Begins, or tries again after the browser was let in. */
  start() {
    const proof = this.#credentials.proof();
    if (this.state.value === "outdated") return;
    if (!proof || JSON.stringify(proof) === this.#refusedProof) return this.state.set("locked");
    if (this.state.value === "locked") this.state.set("connecting");
    this.#socket.start();
  }

  /** Tries to connect now rather than later. */
  hurry() {
    this.#socket.hurry();
  }

  /** The unanswered edits of a sheet, oldest first: what a new replica has to predict. @param {string} sheet */
  unacknowledged(sheet) {
    return this.#outbox.list(sheet);
  }

  /**
   * Sends an edit of the shown sheet, or keeps it until it can be sent. It is answered once: by a `change` with its
   * id as `ack`, by `done`, or by `refused`.
   *
   * @param {EditOp} op
   * @returns {Edit | null} To be predicted. Null: this page may not edit now, or the edit is over the frame's limit (then `refused` tells).
   */
  edit(op) {
    const { sheet, seq } = this.#shown;
    if (!sheet || !MAY_EDIT.has(this.state.value)) return null;
    const base = this.state.value === "live" ? {} : { base: seq };
    /** @type {Edit} */
    const edit = { type: "edit", id: crypto.randomUUID(), epoch: this.#epoch, sheet, op, ...base };
    if (utf8Length(JSON.stringify(edit)) > MAX_BYTES) return this.#tooLarge(edit);
    this.#outbox.add(edit);
    if (this.state.value === "live") this.#send(edit);
    return edit;
  }

  /** A gesture on a ghost. @param {string} preview @param {"apply" | "veto"} verdict @param {string} [note] @returns {boolean} Is it on its way? It is done when `preview_gone` comes. */
  decide(preview, verdict, note = "") {
    return this.state.value === "live" && this.#send({ type: "decide", epoch: this.#epoch, preview, verdict, note });
  }

  /** Turns to a canvas, and to one of its sheets. @param {string} canvas @param {string} [sheet] @returns {boolean} Is it on its way? */
  activate(canvas, sheet) {
    return this.state.value === "live" && this.#send({ type: "activate", canvas, ...(sheet && { sheet }) });
  }

  /** The shown sheet is painted up to a commit. @param {number} seq */
  shown(seq) {
    if (this.#shown.sheet) this.#sight.shown(this.#shown.sheet, seq);
  }

  /** What the person looks at and has selected. Call it as often as it changes. @param {Rect} rect @param {Rect | null} [selection] */
  viewport(rect, selection = null) {
    if (this.#shown.sheet) this.#sight.viewport(this.#shown.sheet, rect, selection);
  }

  /** Takes the seat from the page that holds it, with a connection of its own. The answer is a welcome. */
  takeSeat() {
    this.#wantsSeat = true;
    if (this.state.value !== "read_only") return;
    this.#webMcpCalls.refuseAll(NOT_CONNECTED);
    this.#socket.renew();
  }

  /** Runs a tool as the person. Rejects with CallRefused. @param {string} tool @param {Result} args @returns {Promise<Result>} */
  callTool(tool, args) {
    const edit = this.state.value === "live" ? this.edit({ kind: "call", tool, args }) : null;
    const id = edit?.id ?? "";
    const answer = this.#toolCalls.open(id);
    if (!edit) this.#toolCalls.refuse(id, NOT_CONNECTED);
    return answer;
  }

  /** Runs a tool as the browser's agent. Rejects with CallRefused when the connection ends first. @param {string} tool @param {Result} args @returns {Promise<Result>} */
  webMcp(tool, args) {
    const id = crypto.randomUUID();
    const answer = this.#webMcpCalls.open(id);
    if (!this.#send({ type: "web_mcp_call", id, tool, arguments: args })) this.#webMcpCalls.refuse(id, NOT_CONNECTED);
    return answer;
  }

  #hello() {
    const proof = this.#credentials.proof();
    this.#send({ type: "hello", protocol: PROTOCOL_SPOKEN, kind: this.kind, ...proof, takeSeat: this.#wantsSeat });
  }

  /** @param {FromPage} message @returns {boolean} */
  #send(message) {
    return this.#socket.send(JSON.stringify(message));
  }

  /** @param {ToPage} message */
  #receive(message) {
    switch (message.type) {
      case "welcome":
        return this.#welcomed(message);
      case "canvases":
        return this.#shelved(message);
      case "snapshot":
        return this.#loaded(message);
      case "change":
        return this.#changed(message);
      case "done":
        return this.#isDone(message);
      case "refused":
        return this.#isRefused(message);
      case "preview":
      case "preview_gone":
        return this.previews.emit(message);
      case "presence":
        return this.agents.set(message.agents);
      case "activity":
        return this.activity.emit(message);
      case "seat_lost":
        return this.state.set("read_only");
      case "reload":
        return this.#isOutdated();
      case "web_mcp_result":
        return this.#webMcpCalls.resolve(message.id, message.result);
      default:
        return unreachable(message);
    }
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    if (welcome.protocol !== PROTOCOL_SPOKEN) return this.#isOutdated();
    if (welcome.token) this.#credentials.keep(welcome.token);
    this.#credentials.spend();
    this.#wantsSeat = false;
    this.#epoch = welcome.epoch;
    this.#sight.forget();
    this.agents.set(welcome.agents);
    this.welcome.set(welcome);
    this.#shelved(welcome);
    this.state.set(welcome.seat ? "live" : "read_only");
    if (welcome.seat) for (const edit of this.#outbox.again(this.#epoch)) this.#send(edit);
  }

  /** @param {Shelf} shelf */
  #shelved({ canvases, canvas, sheet }) {
    if (sheet !== this.#shown.sheet) this.#shown = { sheet, seq: 0 };
    this.canvases.set({ canvases, canvas, sheet });
  }

  /** @param {Snapshot} snapshot */
  #loaded(snapshot) {
    const isWhole = snapshot.part === snapshot.parts - 1;
    this.#shown = { sheet: snapshot.sheet, seq: isWhole ? snapshot.seq : 0 };
    this.snapshot.emit(snapshot);
  }

  /** @param {Change} change */
  #changed(change) {
    if (this.#shown.seq && change.sheet === this.#shown.sheet)
      this.#shown = { ...this.#shown, seq: Math.max(this.#shown.seq, change.seq) };
    this.change.emit(change);
    if (change.ack === undefined) return;
    this.#outbox.settle(change.ack);
    this.#toolCalls.resolve(change.ack, { applied: true, operationId: change.operationId, revision: change.seq });
  }

  /** @param {Done} done */
  #isDone(done) {
    this.#outbox.settle(done.id);
    this.done.emit(done);
    this.#toolCalls.resolve(done.id, done.result);
  }

  /** An edit that crossed with the loss of the seat stays a draft, to be sent when the seat is back. @param {RefusedEdit} refusal */
  #isRefused(refusal) {
    if (refusal.code === "replaced" && this.#outbox.get(refusal.id)?.op.kind !== "call") return;
    const edit = this.#outbox.settle(refusal.id);
    this.refused.emit({ refusal, edit });
    this.#toolCalls.refuse(refusal.id, refusal);
  }

  /** @param {Edit} edit */
  #tooLarge(edit) {
    /** @type {RefusedEdit} */
    const refusal = {
      type: "refused",
      id: edit.id,
      code: "too_large",
      message: `the edit is over the limit of ${MAX_BYTES} bytes a message`,
      nextStep: "Do it in several parts.",
      details: { limit: MAX_BYTES },
    };
    this.refused.emit({ refusal, edit });
    return null;
  }

  #isOutdated() {
    this.#socket.stop();
    this.#webMcpCalls.refuseAll(NOT_CONNECTED);
    this.state.set("outdated");
  }

  /** @param {number} code */
  #lost(code) {
    this.#webMcpCalls.refuseAll(NOT_CONNECTED);
    if (code === NOT_LET_IN) this.#notLetIn();
    else if (this.state.value !== "connecting") this.state.set("offline");
  }

  /** A code that is too old leaves the token, if there is one; after that there is nothing to try. */
  #notLetIn() {
    const tried = this.#credentials.proof();
    this.#credentials.spend();
    if (tried && "code" in tried && this.#credentials.proof()) return;
    this.#refusedProof = JSON.stringify(tried);
    this.#socket.stop();
    this.state.set("locked");
  }
}

/** @type {ReadonlySet<State>} */
const MAY_EDIT = new Set(/** @type {const} */ (["live", "offline", "outdated"]));
