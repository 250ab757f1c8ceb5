import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import test from "node:test";
import { stored } from "../../page/model/clusters.js";
import { clusterWidth, graphemes } from "../../page/model/width.js";

const vectors = JSON.parse(readFileSync(new URL("../vectors/width.json", import.meta.url), "utf8"));

test("the page measures every cluster as the broker does", () => {
  assert.ok(vectors.widths.length > 250);
  const measured = vectors.widths.map(([cluster]) => [cluster, clusterWidth(cluster)]);
  assert.deepEqual(measured, vectors.widths);
});

test("the page finds the clusters of a text where the broker does", () => {
  assert.ok(vectors.texts.length > 5);
  for (const [text, clusters] of vectors.texts) assert.deepEqual(graphemes(text), clusters);
});

test("the page keeps of a text what the broker stores", () => {
  assert.ok(vectors.stored.length > 20);
  for (const [text, clusters] of vectors.stored) assert.deepEqual(stored(text), clusters, JSON.stringify(text));
});
