// @ts-check

/** What has to be undone together: listeners, timers, subscriptions of one owner. */
export class Disposer {
  /** @type {(() => void)[]} */
  #ends = [];
  #isDisposed = false;

  /** Remembers how to undo something; undoes it at once when everything else already is. @param {() => void} end */
  add(end) {
    if (this.#isDisposed) end();
    else this.#ends.push(end);
  }

  /**
   * Listens to a target until disposal.
   *
   * @param {EventTarget} target
   * @param {string} type
   * @param {(event: any) => void} listener
   * @param {AddEventListenerOptions} [options]
   */
  listen(target, type, listener, options) {
    target.addEventListener(type, listener, options);
    this.add(() => target.removeEventListener(type, listener, options));
  }

  /** Undoes everything, newest first. Again, it does nothing. */
  dispose() {
    this.#isDisposed = true;
    for (const end of this.#ends.splice(0).reverse()) end();
  }
}
