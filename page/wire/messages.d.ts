// Written by chardesk.broker.wire.typescript from messages.py. Do not edit.

/** The person turned to another canvas or sheet; the answer is `canvases` and a snapshot. */
export interface Activate {
  readonly type: "activate";
  readonly canvas: string;
  readonly sheet?: string;
}

/** Whether an agent may use a feature, from its next call on; the answer is `governed`. */
export interface Allow {
  readonly type: "allow";
  readonly epoch: number;
  readonly author: string;
  readonly feature: "code" | "images" | "files" | "pages";
  readonly isAllowed: boolean;
}

/** A tool that only looks, asked by any page; answered by `done` or `refused` under its id. */
export interface Ask {
  readonly type: "ask";
  readonly id: string;
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Any registry operation, by the person: `tool` is its full name. */
export interface CallOp {
  readonly kind: "call";
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** Columns exactly as the page planned them for a gesture: styles are taken as they are, a background too; empty columns clear. */
export interface CellsOp {
  readonly kind: "cells";
  readonly cells: Cells;
  readonly gesture: "pencil" | "eraser" | "brush" | "box" | "line" | "arrow" | "area" | "fill" | "clear" | "duplicate" | "move" | "paste" | "typing";
}

/** A gesture on a ghost, as it was shown: a `version` that is not the newest decides nothing. */
export interface Decide {
  readonly type: "decide";
  readonly epoch: number;
  readonly preview: string;
  readonly version: number;
  readonly verdict: "apply" | "veto";
  readonly note?: string;
}

/** `id` is unique for ever and made by the page: sent again, it has its effect once. `base` is the revision an edit was made on while the page was offline; typing on a connected page has none. */
export interface Edit {
  readonly type: "edit";
  readonly id: string;
  readonly epoch: number;
  readonly sheet: string;
  readonly op: EditOp;
  readonly base?: number;
}

export type EditOp = TextOp | CellsOp | EraseOp | FillOp | MoveOp | PasteOp | UndoOp | RedoOp | CallOp;

export interface EraseOp {
  readonly kind: "erase";
  readonly at: Point;
  readonly size: Point;
}

export interface FillOp {
  readonly kind: "fill";
  readonly at: Point;
  readonly size: Point;
  readonly style: CellStyle;
}

export type FromPage = Hello | Edit | Shown | Activate | Decide | Viewport | Ask | Story | Govern | Allow | Newcomers | Pause | Pin | Unpin | Stop | Post | ReadLetter | WebMcpCall;

/** What an agent may do from now on, or whether it may be here at all; the answer is `governed`. `applyMinutes`: it may apply for so long whatever its grant; another grant ends that. `scope`: where it may change something; an empty one is everywhere. */
export interface Govern {
  readonly type: "govern";
  readonly epoch: number;
  readonly author: string;
  readonly grant?: "observe" | "propose" | "apply";
  readonly isRevoked?: boolean;
  readonly applyMinutes?: number;
  readonly scope?: readonly Area[];
}

/** The first frame. `code` is the one-time code of the address, `token` what a page got for one before. */
export interface Hello {
  readonly type: "hello";
  readonly protocol: number;
  readonly kind?: "canvas" | "reader" | "desk";
  readonly token?: string;
  readonly code?: string;
  readonly resumeSeq?: number;
  readonly takeSeat?: boolean;
}

/** Every glyph that touches the rectangle goes along, whole, to where its corner is `to`. Empty columns leave what they land on. */
export interface MoveOp {
  readonly kind: "move";
  readonly from: Point;
  readonly size: Point;
  readonly to: Point;
}

/** What an agent may do that was never here, once it comes; the answer is `governed`. */
export interface Newcomers {
  readonly type: "newcomers";
  readonly epoch: number;
  readonly grant: "observe" | "propose" | "apply";
}

/** Material from the clipboard. Text has its tabs expanded to stops of 4, other controls dropped, blanks kept; `ansi` and `markdown` are read as canvas_render reads them, wrapped at `width` columns. */
export interface PasteOp {
  readonly kind: "paste";
  readonly at: Point;
  readonly material: string;
  readonly format?: "text" | "ansi" | "markdown";
  readonly width?: number;
}

/** All agents hold still, or go on. */
export interface Pause {
  readonly type: "pause";
  readonly epoch: number;
  readonly isPaused: boolean;
}

/** Point all agents at a rectangle. */
export interface Pin {
  readonly type: "pin";
  readonly epoch: number;
  readonly sheet: string;
  readonly rect: Rect;
  readonly note?: string;
}

/** A line to an agent; answered by `done` or `refused` under its id. `id` is unique for ever: sent again, it has its effect once. */
export interface Post {
  readonly type: "post";
  readonly id: string;
  readonly epoch: number;
  readonly to: string;
  readonly text: string;
}

/** The person has read what an agent wrote. */
export interface ReadLetter {
  readonly type: "read_letter";
  readonly epoch: number;
  readonly id: string;
}

export interface RedoOp {
  readonly kind: "redo";
}

/** The page has painted everything up to `seq`. */
export interface Shown {
  readonly type: "shown";
  readonly sheet: string;
  readonly seq: number;
}

/** Stop what an agent's call is doing elsewhere (a script); the agent is told `cancelled`. */
export interface Stop {
  readonly type: "stop";
  readonly epoch: number;
  readonly tenant: string;
}

/** Why is this cell as it is? The answer is `cell_story`. */
export interface Story {
  readonly type: "story";
  readonly sheet: string;
  readonly at: Point;
}

/** Typed text at a column; `compose` asks to join it to the cluster that ends just before `at`. Without `overwrite` what stands there makes room: words move right as far as the gaps behind them allow. */
export interface TextOp {
  readonly kind: "text";
  readonly at: Point;
  readonly text: string;
  readonly style?: CellStyle;
  readonly compose?: boolean;
  readonly overwrite?: boolean;
}

export interface UndoOp {
  readonly kind: "undo";
}

export interface Unpin {
  readonly type: "unpin";
  readonly epoch: number;
  readonly id: string;
}

/** What the person looks at and has selected; told at most a few times a second. */
export interface Viewport {
  readonly type: "viewport";
  readonly sheet: string;
  readonly rect: Rect;
  readonly selection?: Rect;
}

export interface WebMcpCall {
  readonly type: "web_mcp_call";
  readonly id: string;
  readonly tool: string;
  readonly arguments: Readonly<Record<string, unknown>>;
}

export type MAX_FRAME_BYTES = 1048576;

export type PROTOCOL = 1;

/** Someone who is connected: `waiting` calls in its queue, `doing` the tool that runs now. Until `applyUntil` (seconds since 1970) it may apply whatever its grant. */
export interface Agent {
  readonly tenant: string;
  readonly name: string;
  readonly color: string;
  readonly grant: "observe" | "propose" | "apply";
  readonly applyUntil?: number;
  readonly doing?: string;
  readonly waiting: number;
}

/** An agent that was ever here. A revoked one stays out until the person lets it in again. It may change something in the areas of its `scope` only; without any, everywhere. It may not use what it `lacks`. */
export interface AgentName {
  readonly name: string;
  readonly color: string;
  readonly grant: "observe" | "propose" | "apply";
  readonly isRevoked: boolean;
  readonly scope: readonly Area[];
  readonly lacks: readonly ("code" | "images" | "files" | "pages")[];
}

/** A canvas with all its sheets; with `sheet` only that one; with `rect` only these cells of it. */
export interface Area {
  readonly canvas: string;
  readonly sheet?: string;
  readonly rect?: Rect;
}

export interface Attrs {
  readonly bold?: boolean;
  readonly italic?: boolean;
  readonly underline?: boolean;
  readonly strike?: boolean;
  readonly inverse?: boolean;
}

export interface CanvasInfo {
  readonly id: string;
  readonly name: string;
  readonly kind: "freeform" | "slides";
  readonly archived: boolean;
  readonly sheets: readonly SheetInfo[];
}

/** Rows as `[y, [[x, columns, style], …]]`; what is not named is not meant. */
export interface Cells {
  readonly styles: readonly CellStyle[];
  readonly rows: readonly Row[];
}

/** Default values are left out: `{}` is plain text. */
export interface CellStyle {
  readonly color?: string;
  readonly bgColor?: string;
  readonly attrs?: Attrs;
  readonly href?: string;
}

export type Columns = string | readonly string[] | number;

/** Characters of pasted material that no cell can hold, `count` times. No code points: all other kinds. */
export interface LeftOut {
  readonly codePoints: readonly string[];
  readonly count: number;
}

export type Piece = readonly [number, Columns, number];

/** A rectangle that the person points agents at. */
export interface PinInfo {
  readonly id: string;
  readonly canvas: string;
  readonly sheet: string;
  readonly rect: Rect;
  readonly note: string;
}

export type Point = readonly [number, number];

export type Rect = readonly [number, number, number, number];

export type Row = readonly [number, readonly Piece[]];

/** `note` is for who presents it. */
export interface SheetInfo {
  readonly id: string;
  readonly name: string;
  readonly size?: Point;
  readonly note?: string;
}

/** A commit that touched a cell. */
export interface StoryLine {
  readonly operationId: string;
  readonly author: string;
  readonly appliedBy: string;
  readonly color: string;
  readonly tool: string;
  readonly why: string;
  readonly time: number;
}

/** A tool as WebMCP hosts register it. */
export interface Tool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: Readonly<Record<string, unknown>>;
  readonly readOnly: boolean;
  readonly owner: "canvas" | "materials";
}

/** One line of what happened, newest last; also for sheets that the page does not show. */
export interface Activity {
  readonly type: "activity";
  readonly seq: number;
  readonly author: string;
  readonly appliedBy: string;
  readonly color: string;
  readonly tool: string;
  readonly why: string;
  readonly canvas: string;
  readonly sheet: string;
  readonly bounds?: Rect;
  readonly time: number;
  readonly operationId: string;
  readonly isAuto?: boolean;
}

/** A step on canvases or sheets: what happens to which, and what it was before where that changes. */
export interface ArrangeStep {
  readonly kind: "sheet_added" | "sheet_removed" | "sheet_moved" | "sheet_resized" | "sheet_renamed" | "sheet_noted" | "canvas_added" | "canvas_removed" | "canvas_renamed" | "canvas_archived" | "canvas_unarchived";
  readonly name: string;
  readonly before?: string;
  readonly after?: string;
  readonly cells?: number;
}

/** The list changed, or the active canvas did. */
export interface Canvases {
  readonly type: "canvases";
  readonly canvases: readonly CanvasInfo[];
  readonly canvas: string;
  readonly sheet: string;
}

/** Who touched a cell, newest first; empty when nobody did. */
export interface CellStory {
  readonly type: "cell_story";
  readonly sheet: string;
  readonly at: Point;
  readonly lines: readonly StoryLine[];
}

/** A commit on the sheet that the page shows. `ack` names the page's own edit that it confirms, and `dropped` is what was left out of it; of text the page knows that by itself. */
export interface Change {
  readonly type: "change";
  readonly seq: number;
  readonly sheet: string;
  readonly cells: Cells;
  readonly author: string;
  readonly appliedBy: string;
  readonly color: string;
  readonly tool: string;
  readonly operationId: string;
  readonly ack?: string;
  readonly dropped?: readonly LeftOut[];
}

/** An agent asks the person to look at a rectangle. Nothing moves until the person follows it. */
export interface Chip {
  readonly type: "chip";
  readonly id: string;
  readonly author: string;
  readonly color: string;
  readonly canvas: string;
  readonly sheet: string;
  readonly rect: Rect;
  readonly note: string;
}

/** Whether changes can be kept. A page that is not told of it has a disk that takes them. */
export interface Disk {
  readonly type: "disk";
  readonly refuses: boolean;
}

/** An edit had no cells to change on the shown sheet, or none at all; `result` is what the tool said. */
export interface Done {
  readonly type: "done";
  readonly id: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** Everyone who was ever here, whether all are paused, and what the person points at. Told whole. `policyProblem`: the desk's policy.json can't be followed, so agents only look until it is corrected. */
export interface Governed {
  readonly type: "governed";
  readonly names: readonly AgentName[];
  readonly isPaused: boolean;
  readonly pins: readonly PinInfo[];
  readonly newcomers: "observe" | "propose" | "apply";
  readonly policyProblem?: string;
}

/** What an agent says to the person. It comes again with every join until it is read (`read_letter`). */
export interface Letter {
  readonly type: "letter";
  readonly id: string;
  readonly author: string;
  readonly color: string;
  readonly text: string;
  readonly time: number;
}

/** The person has put a letter away, on whichever page. */
export interface LetterGone {
  readonly type: "letter_gone";
  readonly id: string;
}

export interface Presence {
  readonly type: "presence";
  readonly agents: readonly Agent[];
}

/** A ghost: what an agent proposes. The same id again replaces it, with a greater `version`. Ghosts of one author with one `altGroup` are alternatives: applying one ends the others. `request`: its agent wanted to apply it and waits for the person's decision. `arranges` are its steps that are no cells. A canvas or sheet that is only to come with it has no name yet. */
export interface Preview {
  readonly type: "preview";
  readonly id: string;
  readonly author: string;
  readonly color: string;
  readonly canvas: string;
  readonly sheet: string;
  readonly canvasName: string;
  readonly sheetName: string;
  readonly tool: string;
  readonly why: string;
  readonly bounds: Rect;
  readonly overwritten: number;
  readonly cleared: number;
  readonly styled: number;
  readonly cells: Cells;
  readonly arranges: readonly ArrangeStep[];
  readonly expiresAt: number;
  readonly version: number;
  readonly altGroup?: string;
  readonly request?: string;
}

export interface PreviewGone {
  readonly type: "preview_gone";
  readonly id: string;
  readonly reason: "applied" | "superseded" | "vetoed" | "stale" | "expired" | "discarded" | "revoked";
}

export interface RefusedEdit {
  readonly type: "refused";
  readonly id: string;
  readonly code: string;
  readonly message: string;
  readonly nextStep: string;
  readonly details: Readonly<Record<string, unknown>>;
}

/** The broker serves another build than the one this page came from. */
export interface Reload {
  readonly type: "reload";
  readonly version: string;
}

/** Nobody holds the seat any more; it is this page's if it says hello again with `takeSeat`. */
export interface SeatFree {
  readonly type: "seat_free";
}

export interface SeatLost {
  readonly type: "seat_lost";
}

/** How a line of the person's to an agent stands: it waits, was given out, was read (and forgotten), or was given out too often. Told at every change, and with every join until it is read. */
export interface Sent {
  readonly type: "sent";
  readonly id: string;
  readonly to: string;
  readonly text: string;
  readonly time: number;
  readonly fate: "waiting" | "given" | "read" | "parked";
}

/** A sheet's cells in `parts` frames; nothing is painted before the last came. */
export interface Snapshot {
  readonly type: "snapshot";
  readonly sheet: string;
  readonly seq: number;
  readonly part: number;
  readonly parts: number;
  readonly cells: Cells;
}

export type ToPage = Welcome | Canvases | Snapshot | Change | Done | RefusedEdit | Preview | PreviewGone | Presence | Activity | Governed | Chip | Letter | LetterGone | Sent | CellStory | SeatLost | SeatFree | Disk | Reload | WebMcpResult;

export interface WebMcpResult {
  readonly type: "web_mcp_result";
  readonly id: string;
  readonly result: Readonly<Record<string, unknown>>;
}

/** `token` is set when a one-time code was traded. `seat` false: another page holds the seat, this one is read-only until it says hello again with `takeSeat`. */
export interface Welcome {
  readonly type: "welcome";
  readonly protocol: number;
  readonly version: string;
  readonly epoch: number;
  readonly seat: boolean;
  readonly seq: number;
  readonly token?: string;
  readonly canvases: readonly CanvasInfo[];
  readonly canvas: string;
  readonly sheet: string;
  readonly agents: readonly Agent[];
  readonly tools: readonly Tool[];
}
