// Written by chardesk.broker.wire.typescript from messages.py. Do not edit.

/** The person turned to another canvas or sheet; the answer is `canvases` and a snapshot. */
export interface Activate {
  readonly type: "activate";
  readonly canvas: string;
  readonly sheet?: string;
}

/** Any registry operation, by the person: `tool` is its full name. */
export interface CallOp {
  readonly kind: "call";
  readonly tool: string;
  readonly args: Readonly<Record<string, unknown>>;
}

/** A gesture on a ghost. */
export interface Decide {
  readonly type: "decide";
  readonly epoch: number;
  readonly preview: string;
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

export type EditOp = TextOp | EraseOp | FillOp | PasteOp | UndoOp | RedoOp | CallOp;

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

export type FromPage = Hello | Edit | Shown | Activate | Decide | Viewport | WebMcpCall;

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

/** Text from the clipboard. Tabs expand to stops of 4, other controls are dropped, blanks are kept. */
export interface PasteOp {
  readonly kind: "paste";
  readonly at: Point;
  readonly material: string;
  readonly format: "text";
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

/** Typed text at a column; `compose` asks to join it to the cluster that ends just before `at`. */
export interface TextOp {
  readonly kind: "text";
  readonly at: Point;
  readonly text: string;
  readonly style?: CellStyle;
  readonly compose?: boolean;
}

export interface UndoOp {
  readonly kind: "undo";
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

/** Someone who is connected: `waiting` calls in its queue, `doing` the tool that runs now. */
export interface Agent {
  readonly tenant: string;
  readonly name: string;
  readonly color: string;
  readonly doing?: string;
  readonly waiting: number;
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

export type Piece = readonly [number, Columns, number];

export type Point = readonly [number, number];

export type Rect = readonly [number, number, number, number];

export type Row = readonly [number, readonly Piece[]];

export interface SheetInfo {
  readonly id: string;
  readonly name: string;
  readonly size?: Point;
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
}

/** The list changed, or the active canvas did. */
export interface Canvases {
  readonly type: "canvases";
  readonly canvases: readonly CanvasInfo[];
  readonly canvas: string;
  readonly sheet: string;
}

/** A commit on the sheet that the page shows. `ack` names the page's own edit that it confirms. */
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
}

/** An edit had no cells to change on the shown sheet, or none at all; `result` is what the tool said. */
export interface Done {
  readonly type: "done";
  readonly id: string;
  readonly result: Readonly<Record<string, unknown>>;
}

export interface Presence {
  readonly type: "presence";
  readonly agents: readonly Agent[];
}

/** A ghost: what an agent proposes. The same id again replaces it. */
export interface Preview {
  readonly type: "preview";
  readonly id: string;
  readonly author: string;
  readonly color: string;
  readonly canvas: string;
  readonly sheet: string;
  readonly tool: string;
  readonly why: string;
  readonly bounds: Rect;
  readonly overwritten: number;
  readonly cleared: number;
  readonly cells: Cells;
  readonly expiresAt: number;
}

export interface PreviewGone {
  readonly type: "preview_gone";
  readonly id: string;
  readonly reason: "applied" | "vetoed" | "stale" | "expired" | "discarded" | "revoked";
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

export interface SeatLost {
  readonly type: "seat_lost";
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

export type ToPage = Welcome | Canvases | Snapshot | Change | Done | RefusedEdit | Preview | PreviewGone | Presence | Activity | SeatLost | Reload | WebMcpResult;

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
