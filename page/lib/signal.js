// @ts-check

/**
 * Something that happens. Listeners are called in the order they came, in the same turn.
 *
 * @template T
 */
export class Signal {
  /** @type {Set<(value: T) => void>} */
  #listeners = new Set();

  /**
   * @param {(value: T) => void} listener Registered once, however often it is given.
   * @returns {() => void} Ends the subscription; again, it does nothing.
   */
  subscribe(listener) {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /**
   * Tells everybody. A listener that throws keeps nothing from the others: its error is reported afterwards.
   *
   * @param {T} value
   */
  emit(value) {
    for (const listener of [...this.#listeners]) {
      try {
        listener(value);
      } catch (error) {
        // An unhandled rejection is reported like an error that nobody caught, in the page and in tests.
        void Promise.reject(error);
      }
    }
  }
}

/**
 * A value that can be watched. A new listener is called at once with what holds now.
 *
 * @template T
 * @extends {Signal<T>}
 */
export class Held extends Signal {
  #value;

  /** @param {T} value */
  constructor(value) {
    super();
    this.#value = value;
  }

  get value() {
    return this.#value;
  }

  /** Listeners hear of it only if it is another value (by `Object.is`). @param {T} value */
  set(value) {
    if (Object.is(value, this.#value)) return;
    this.#value = value;
    this.emit(value);
  }

  /** @override @param {(value: T) => void} listener */
  subscribe(listener) {
    const end = super.subscribe(listener);
    listener(this.#value);
    return end;
  }
}
