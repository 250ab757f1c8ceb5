/** A browser that tests play: time moves when it is told to, sockets open and close when they are told to. */
import { Credentials } from "../../page/wire/credentials.js";
import { Drafts } from "../../page/wire/drafts.js";
import { Link } from "../../page/wire/link.js";
import { Socket } from "../../page/wire/socket.js";

export class FakeStorage {
  entries = new Map();
  isFull = false;
  get length() {
    return this.entries.size;
  }
  key(n) {
    return [...this.entries.keys()][n] ?? null;
  }
  getItem(key) {
    return this.entries.get(key) ?? null;
  }
  setItem(key, value) {
    if (this.isFull) throw new DOMException("full", "QuotaExceededError");
    this.entries.set(key, value);
  }
  removeItem(key) {
    this.entries.delete(key);
  }
}

export class FakeWorld {
  /** Sockets that were opened, oldest first. */
  sockets = [];
  probes = 0;
  isBrokerThere = true;
  ms = 0;
  #timers = new Map();
  #nextTimer = 1;

  constructor() {
    const world = this;
    this.WebSocket = class {
      sent = [];
      constructor(url) {
        this.url = url;
        world.sockets.push(this);
      }
      send(text) {
        this.sent.push(JSON.parse(text));
      }
      close() {
        this.isClosed = true;
      }
    };
  }

  isThere = async () => {
    this.probes += 1;
    return this.isBrokerThere;
  };
  setTimeout = (callback, ms) => {
    this.#timers.set(this.#nextTimer, { callback, at: this.ms + ms });
    return this.#nextTimer++;
  };
  clearTimeout = (id) => void this.#timers.delete(id);
  nowMs = () => this.ms;
  random = () => 0;

  /** What waits, as milliseconds from now. */
  get waits() {
    return [...this.#timers.values()].map(({ at }) => at - this.ms);
  }

  /** Lets time pass; timers fire in order, and what they promised is done. */
  async pass(ms) {
    const until = this.ms + ms;
    for (;;) {
      const due = [...this.#timers].filter(([, { at }]) => at <= until).sort(([, a], [, b]) => a.at - b.at)[0];
      if (!due) break;
      this.#timers.delete(due[0]);
      this.ms = due[1].at;
      due[1].callback();
      await settled();
    }
    this.ms = until;
  }
}

/** Everything that was promised so far is done. */
export async function settled() {
  for (let n = 0; n < 5; n++) await Promise.resolve();
}

export const WELCOME = {
  type: "welcome",
  protocol: 1,
  version: "1",
  epoch: 1,
  seat: true,
  seq: 5,
  canvases: [],
  canvas: "cv-1",
  sheet: "pg-1",
  agents: [],
  tools: [],
};

/** A page with its link, and the broker's side of it. */
export class FakePage {
  world = new FakeWorld();
  hash = "";
  #received = 0;

  constructor({ storage = new FakeStorage(), token = "t-1", kind = "canvas", hash = "" } = {}) {
    this.storage = storage;
    this.hash = hash;
    if (token) storage.setItem("chardesk/token", token);
    const address = { hash: () => this.hash, clear: () => void (this.hash = "") };
    this.socket = new Socket("ws://127.0.0.1:1/page", this.world);
    const parts = { socket: this.socket, world: this.world, kind };
    this.link = new Link({ ...parts, credentials: new Credentials(storage, address), drafts: new Drafts(storage) });
  }

  /** The socket of the newest attempt. */
  get wire() {
    return this.world.sockets.at(-1);
  }

  /** What the page has said since the last time this was asked, but for hellos. */
  heard() {
    const all = this.world.sockets.flatMap(({ sent }) => sent).filter(({ type }) => type !== "hello");
    const news = all.slice(this.#received);
    this.#received = all.length;
    return news;
  }

  tell(message) {
    this.wire.onmessage({ data: JSON.stringify(message) });
  }

  /** The broker lets the page in and shows it a sheet. */
  async join(more = {}, snapshot = { styles: [], rows: [] }) {
    this.link.start();
    await settled();
    this.wire.onopen();
    this.tell({ ...WELCOME, ...more });
    this.tell({ type: "snapshot", sheet: "pg-1", seq: more.seq ?? 5, part: 0, parts: 1, cells: snapshot });
  }

  async lose(code = 1006) {
    this.wire.onclose({ code });
    await settled();
  }

  /** The next attempt succeeds. */
  async rejoin(more = {}) {
    await this.world.pass(20_000);
    this.wire.onopen();
    this.tell({ ...WELCOME, epoch: 2, ...more });
  }
}
