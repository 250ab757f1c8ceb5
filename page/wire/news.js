// @ts-check
/** @import { Activity, Agent, Canvases, CellStory, Change, Chip, Disk, Done, Edit, Governed } from "./messages.js" */
/** @import { LeftOut, Letter, LetterGone, Presence, Preview, PreviewGone, RefusedEdit, Sent, Snapshot, Welcome } from "./messages.js" */
/** @import { State } from "./session.js" */
import { Held, Signal } from "../lib/signal.js";
import { unreachable } from "../lib/unreachable.js";

/** @type {ReadonlySet<State>} */
export const MAY_EDIT = new Set(/** @type {const} */ (["live", "offline", "outdated"]));
/** @type {ReadonlySet<State>} */
export const TURNS = new Set(/** @type {const} */ (["live", "read_only"]));

/** Which canvases there are and which one is shown. @typedef {Omit<Canvases, "type">} Shelf */

/** @typedef {Activity | CellStory | Chip | Disk | Governed | Letter | LetterGone | Sent | Presence | Preview | PreviewGone} Told */

/** What the page hears from the broker. */
export class News {
  /**
   * After every connect, a new one: previews follow anew, so ghosts are cleared here.
   *
   * @type {Held<Welcome | null>}
   */
  welcome = new Held(/** @type {Welcome | null} */ (null));
  /** @type {Held<Shelf | null>} */
  canvases = new Held(/** @type {Shelf | null} */ (null));
  /** @type {Held<readonly Agent[]>} */
  agents = new Held(/** @type {readonly Agent[]} */ ([]));
  /**
   * Frames of a sheet, in order; those of another sheet than before mean that the page shows that now.
   *
   * @type {Signal<Snapshot>}
   */
  snapshot = new Signal();
  /** Commits on the shown sheet. @type {Signal<Change>} */
  change = new Signal();
  /** @type {Signal<Preview | PreviewGone>} */
  previews = new Signal();
  /** What the person decided about agents, and the pins. @type {Held<Governed>} */
  governed = new Held(/** @type {Governed} */ ({ type: "governed", names: [], isPaused: false, pins: [], newcomers: "apply" }));
  /** Agents ask the person to look somewhere. @type {Signal<Chip>} */
  chips = new Signal();
  /** What agents say to the person; each comes again after a connect until it is read. @type {Signal<Letter>} */
  letters = new Signal();
  /** The person has put one of them away, on whichever page. @type {Signal<LetterGone>} */
  lettersGone = new Signal();
  /** How the person's own lines to agents stand. @type {Signal<Sent>} */
  sent = new Signal();
  /** The answer to `tellStory`. @type {Signal<CellStory>} */
  story = new Signal();
  /** @type {Signal<Activity>} */
  activity = new Signal();
  /** An edit of ours is done without cells for the shown sheet. @type {Signal<Done>} */
  done = new Signal();
  /**
   * Something of ours was refused; `edit` is null for a decision, or an edit that another page sent.
   *
   * @type {Signal<{ readonly refusal: RefusedEdit, readonly edit: Edit | null }>}
   */
  refused = new Signal();

  /**
   * What of an edit of ours no cell can hold, of material that only the broker can read.
   *
   * @type {Signal<readonly LeftOut[]>}
   */
  leftOut = new Signal();

  /** Is the desk's disk full or read-only? What is drawn meanwhile goes out when it is not. @type {Held<boolean>} */
  isDiskRefusing = new Held(/** @type {boolean} */ (false));

  /** News that changes nothing between page and broker. @param {Told} message */
  hear(message) {
    switch (message.type) {
      case "preview":
      case "preview_gone":
        return this.previews.emit(message);
      case "presence":
        return this.agents.set(message.agents);
      case "activity":
        return this.activity.emit(message);
      case "governed":
        return this.governed.set(message);
      case "chip":
        return this.chips.emit(message);
      case "letter":
        return this.letters.emit(message);
      case "letter_gone":
        return this.lettersGone.emit(message);
      case "sent":
        return this.sent.emit(message);
      case "disk":
        return this.isDiskRefusing.set(message.refuses);
      case "cell_story":
        return this.story.emit(message);
      default:
        return unreachable(message);
    }
  }
}
