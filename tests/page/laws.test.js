import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { predict } from "../../page/model/predict.js";
import { clipped, union } from "../../page/model/region.js";
import { Replica } from "../../page/model/replica.js";
import { Scene } from "../../page/model/scene.js";
import { change, edit, snapshot } from "./drawing.js";

const conversations = JSON.parse(readFileSync(new URL("../vectors/edits.json", import.meta.url), "utf8"));
const [LEFT, TOP, WIDTH, HEIGHT] = [-8, -1, 48, 9];
/** No conversation gets beyond it, though the reach of an insertion is endless. */
const WORLD = [-128, -64, 512, 128];

/** A broker that orders edits of a person and an agent: what it says of each are the cells as they are afterwards. */
class Broker {
  scene = new Scene();
  seq = 1;

  land(op, more) {
    const reach = predict(this.scene, op).map((rect) => clipped(rect, WORLD)).filter(Boolean);
    const around = union(reach);
    const rows = [around].filter(Boolean).flatMap(([x, y, width, height]) =>
      Array.from({ length: height }, (_, row) => [y + row, this.#pieces(y + row, x, width)]),
    );
    this.seq += 1;
    return change(this.seq, { styles: this.styles, rows }, more);
  }

  styles = [];

  #pieces(y, x, width) {
    const { chars, styles } = this.scene.strip(y, x, x + width);
    return chars.map((char, n) => (char === null ? [x + n, 1, -1] : [x + n, [char], this.styles.push(styles[n]) - 1]));
  }
}

function cellsOf(scene) {
  const rows = Array.from({ length: HEIGHT }, (_, row) => scene.strip(TOP + row, LEFT, LEFT + WIDTH));
  return rows.flatMap(({ chars, styles }, row) => chars.map((char, n) => [[LEFT + n, TOP + row], char, styles[n]]));
}

function covers(rects, [x, y]) {
  return rects.some(([left, top, width, height]) => x >= left && x < left + width && y >= top && y < top + height);
}

/** Collects the places that looked different after a change and were in none of its rectangles. */
function watched(replica) {
  const missed = [];
  let seen = 0;
  let before = cellsOf(replica);
  replica.changed.subscribe(({ rects }) => {
    const after = cellsOf(replica);
    const other = after.filter(([, char, style], n) => char !== before[n][1] || style !== before[n][2]);
    seen += other.length;
    missed.push(...other.map(([place]) => place).filter((place) => !covers(rects, place)));
    before = after;
  });
  return { missed, seen: () => seen };
}

/** Plays a conversation with an agent that draws between the person's edits; answers come `late` edits later, every `refused`-th is no. */
function play(number, late, refused) {
  const broker = new Broker();
  const replica = new Replica("pg-1");
  replica.loadPart(snapshot({ styles: [], rows: [] }));
  const eyes = watched(replica);
  const answer = ({ op }, n) => {
    if (n % refused === 1) replica.refuse(`e${n}`);
    else replica.confirm(broker.land(op, { ack: `e${n}` }));
  };
  const steps = conversations[number];
  for (const [n, { op }] of steps.entries()) {
    replica.predict(edit(`e${n}`, op));
    replica.confirm(broker.land(conversations[(number + 7) % conversations.length][n].op));
    if (n >= late) answer(steps[n - late], n - late);
  }
  steps.slice(-late).forEach((step, n) => answer(step, steps.length - late + n));
  return { broker, replica, eyes };
}

test("whatever looks different after a change lies in the rectangles that listeners are told", () => {
  let seen = 0;
  for (const number of conversations.keys()) {
    const { eyes } = play(number, 1 + (number % 5), 3);
    assert.deepEqual(eyes.missed, [], `conversation ${number}`);
    seen += eyes.seen();
  }
  assert.ok(seen > 1000);
});

test("when everything is answered the page shows what the broker has", () => {
  for (const number of conversations.keys()) {
    const { broker, replica } = play(number, 1 + (number % 5), 4);
    assert.equal(replica.pendingCount, 0);
    assert.deepEqual(cellsOf(replica), cellsOf(broker.scene), `conversation ${number}`);
  }
});

test("acks that come in another order lead to the same cells", () => {
  for (const number of conversations.keys()) {
    const broker = new Broker();
    const replica = new Replica("pg-1");
    replica.loadPart(snapshot({ styles: [], rows: [] }));
    const acks = conversations[number].map(({ op }, n) => {
      replica.predict(edit(`e${n}`, op));
      return broker.land(op, { ack: `e${n}` });
    });
    for (const ack of acks.toSorted((a, b) => ((a.seq * 7) % 13) - ((b.seq * 7) % 13))) replica.confirm(ack);
    assert.deepEqual(cellsOf(replica), cellsOf(broker.scene), `conversation ${number}`);
  }
});
