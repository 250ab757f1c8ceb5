// @ts-check
/**
 * @import { Allow, Change, Decide, Done, Edit, EditOp, Govern, Hello, Newcomers } from "./messages.js"
 * @import { Pause, Pin, Point, Post, Preview, ReadLetter } from "./messages.js"
 * @import { RefusedEdit, Snapshot, Stop, Unpin, Welcome } from "./messages.js"
 * @import { Result } from "./calls.js"
 * @import { Credentials } from "./credentials.js"
 * @import { Drafts } from "./drafts.js"
 * @import { Shelf } from "./news.js"
 * @import { Said } from "./session.js"
 * @import { Rect } from "../model/region.js"
 * @import { Socket, World } from "./socket.js"
 */
import { spelled, utf8Length } from "../lib/bytes.js";
import { CallRefused } from "./calls.js";
import { MAY_EDIT, News, TURNS } from "./news.js";
import { Outbox } from "./outbox.js";
import { Pace } from "./pace.js";
import { Questions } from "./questions.js";
import { MAX_BYTES, NO_SEAT, NOT_CONNECTED, TOO_LARGE } from "./refusals.js";
import { Session } from "./session.js";
import { Sight } from "./sight.js";

/** Without its epoch, which is the link's to know. @template T @typedef {T extends unknown ? Omit<T, "epoch"> : never} Open */
/** @typedef {Open<Allow | Decide | Govern | Newcomers | Pause | Pin | Post | ReadLetter | Stop | Unpin>} Gesture what needs the seat */

/** The page's conversation with the broker: messages and their order. What they mean for cells is the replica's. */
export class Link extends News {
  #session;
  #outbox;
  #sight;
  #pace;
  #questions = new Questions((message) => this.#session.send(message));
  /** The sheet that is shown, and up to where the page has it: 0 until its snapshot is there. */
  #shown = { sheet: "", seq: 0 };

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
    this.#session = new Session(socket, credentials, kind);
    this.#outbox = new Outbox(drafts);
    this.kind = kind;
    /** How this page stands with the broker. */
    this.state = this.#session.state;
    /** How many edits the broker has not answered. */
    this.unsent = this.#outbox.count;
    /** Resolves when all drafts of earlier times are here. */
    this.ready = this.#outbox.ready;
    /** Does the browser's storage refuse drafts, so that a reload would lose what is unsent? */
    this.isStorageFailing = drafts.isFailing;
    this.#sight = new Sight(world, (message) => this.#session.isLive && this.#session.send(message));
    this.#pace = new Pace(world);
    /** Does the broker take long to answer what the page has sent? */
    this.isSlow = this.#pace.isSlow;
    this.#session.admitted.subscribe((welcome) => this.#welcomed(welcome));
    this.#session.said.subscribe((message) => this.#receive(message));
    this.#session.over.subscribe(() => this.#isOver());
    this.state.subscribe(() => this.#sendAgain());
    this.isDiskRefusing.subscribe((refuses) => refuses || this.#sendAgain());
  }

  /** Begins, or tries again after the browser was let in. */
  start() {
    this.#session.start();
  }

  /** Tries to connect now rather than later. */
  hurry() {
    this.#session.hurry();
  }

  /**
   * The unanswered edits, oldest first. Those of a sheet are what a new replica of it has to predict.
   *
   * @param {string} [sheet]
   */
  unacknowledged(sheet) {
    return this.#outbox.list(sheet);
  }

  /**
   * Sends an edit of the shown sheet, or keeps it until it can be sent. It is answered once: by a `change` with its
   * id as `ack`, by `done`, or by `refused`.
   *
   * @param {EditOp} op
   * @returns {Edit | null} To be predicted. Null: this page may not edit now, or the edit is over the frame's limit
   *   (then `refused` tells).
   */
  edit(op) {
    const { sheet, seq } = this.#shown;
    if (!sheet || !MAY_EDIT.has(this.state.value)) return null;
    const base = this.#session.isLive ? {} : { base: seq };
    /** @type {Edit} */
    const edit = { type: "edit", id: crypto.randomUUID(), epoch: this.#session.epoch, sheet, op, ...base };
    if (utf8Length(spelled({ ...edit, base: seq })) > MAX_BYTES) return this.#tooLarge(edit);
    this.#outbox.add(edit, seq);
    if (this.#session.isLive && !this.isDiskRefusing.value) this.#sendEdit(edit);
    return edit;
  }

  /**
   * A gesture on a ghost, as the person sees it.
   *
   * @param {Pick<Preview, "id" | "version">} preview
   * @param {"apply" | "veto"} verdict
   * @returns {boolean} Is it on its way? It is done when `preview_gone` comes.
   */
  decide({ id, version }, verdict, note = "") {
    return this.gesture({ type: "decide", preview: id, version, verdict, note });
  }

  /** @param {Gesture} gesture @returns {boolean} Is it on its way? What comes of it is news. */
  gesture(gesture) {
    return this.#session.isLive && this.#session.send({ ...gesture, epoch: this.#session.epoch });
  }

  /** Why is this cell as it is? The answer is `story`. @param {string} sheet @param {Point} at */
  tellStory(sheet, at) {
    return this.#session.send({ type: "story", sheet, at });
  }

  /** Turns to a canvas, and one of its sheets; without the seat alone. @param {string} canvas @param {string} [sheet] */
  activate(canvas, sheet) {
    return TURNS.has(this.state.value) && this.#session.send({ type: "activate", canvas, ...(sheet && { sheet }) });
  }

  /** The shown sheet is painted up to a commit. @param {number} seq */
  shown(seq) {
    if (this.#shown.sheet) this.#sight.shown(this.#shown.sheet, seq);
  }

  /**
   * What the person looks at and has selected. Call it as often as it changes.
   *
   * @param {Rect} rect
   * @param {Rect | null} [selection]
   */
  viewport(rect, selection = null) {
    if (this.#shown.sheet) this.#sight.viewport(this.#shown.sheet, rect, selection);
  }

  /** Takes the seat from the page that holds it, with a connection of its own. The answer is a welcome. */
  takeSeat() {
    this.#session.takeSeat();
  }

  /**
   * Runs a tool as the person. Rejects with CallRefused.
   *
   * @param {string} tool
   * @param {Result} args
   * @returns {Promise<Result>}
   */
  callTool(tool, args) {
    const { value: state } = this.state;
    if (state !== "live") return Promise.reject(new CallRefused(state === "read_only" ? NO_SEAT : NOT_CONNECTED));
    const edit = this.edit({ kind: "call", tool, args });
    return edit ? this.#outbox.answer(edit.id) : Promise.reject(new CallRefused(TOO_LARGE));
  }

  /** Runs a tool as the browser's agent: see Questions. @param {string} tool @param {Result} args */
  webMcp(tool, args) {
    return this.#questions.webMcp(tool, args);
  }

  /** Asks a tool that only looks; any page may: see Questions. @param {string} tool @param {Result} args */
  ask(tool, args) {
    return this.#questions.ask(tool, args);
  }

  /** @param {Said} message */
  #receive(message) {
    switch (message.type) {
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
      case "web_mcp_result":
        return this.#questions.answer(message.id, message.result);
      default:
        return this.hear(message);
    }
  }

  /** @param {Welcome} welcome */
  #welcomed(welcome) {
    this.#sight.forget();
    this.agents.set(welcome.agents);
    this.welcome.set(welcome);
    this.#shelved(welcome);
    this.isDiskRefusing.set(false);
  }

  #sendAgain() {
    const { isLive, epoch } = this.#session;
    if (isLive) for (const edit of this.#outbox.again(epoch)) this.#sendEdit(edit);
  }

  /** What a tool takes says nothing about the link. @param {Edit} edit */
  #sendEdit(edit) {
    if (this.#session.send(edit) && edit.op.kind !== "call") this.#pace.sent(edit.id);
  }

  #isOver() {
    this.#questions.abandon();
    this.#pace.forget();
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
    this.#pace.answered(change.ack);
    if (change.dropped) this.leftOut.emit(change.dropped);
    this.#outbox.settle(change.ack, { applied: true, operationId: change.operationId, revision: change.seq });
  }

  /** @param {Done} done */
  #isDone(done) {
    this.#questions.answer(done.id, done.result);
    this.#pace.answered(done.id);
    this.#outbox.settle(done.id, done.result);
    this.done.emit(done);
    const { dropped } = done.result;
    if (Array.isArray(dropped)) this.leftOut.emit(dropped);
  }

  /** @param {RefusedEdit} refusal */
  #isRefused(refusal) {
    if (this.#questions.refuse(refusal.id, refusal)) return;
    this.#pace.answered(refusal.id);
    if (this.#outbox.keeps(refusal)) return;
    this.refused.emit({ refusal, edit: this.#outbox.refuse(refusal.id, refusal) });
  }

  /** @param {Edit} edit */
  #tooLarge(edit) {
    this.refused.emit({ refusal: { type: "refused", id: edit.id, ...TOO_LARGE }, edit });
    return null;
  }
}
