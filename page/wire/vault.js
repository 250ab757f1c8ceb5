// @ts-check

const NAME = "chardesk";
const STORE = "drafts";

/**
 * Texts by key in IndexedDB: room for what the browser's small storage refuses. Every method rejects when the
 * browser does.
 */
export class Vault {
  /** @type {Promise<IDBDatabase>} */
  #database;

  /** @param {IDBFactory} factory */
  constructor(factory) {
    this.#database = opened(factory);
    // Who asks later hears of it; nobody asking is no fault.
    this.#database.catch(() => undefined);
  }

  /** Everything, by key in order. @returns {Promise<[key: string, text: string][]>} */
  async all() {
    const store = await this.#store("readonly");
    const [keys, texts] = await Promise.all([done(store.getAllKeys()), done(store.getAll())]);
    return keys.map((key, n) => [String(key), String(texts[n])]);
  }

  /** Kept when this resolves. @param {string} key @param {string} text */
  async put(key, text) {
    const store = await this.#store("readwrite");
    await done(store.put(text, key));
    await over(store.transaction);
  }

  /** @param {string} key */
  async remove(key) {
    const store = await this.#store("readwrite");
    await done(store.delete(key));
  }

  /** @param {IDBTransactionMode} mode */
  async #store(mode) {
    return (await this.#database).transaction(STORE, mode).objectStore(STORE);
  }
}

/** @param {IDBFactory} factory @returns {Promise<IDBDatabase>} */
function opened(factory) {
  const request = factory.open(NAME, 1);
  request.onupgradeneeded = () => void request.result.createObjectStore(STORE);
  return done(request);
}

/** @template T @param {IDBRequest<T>} request @returns {Promise<T>} */
function done(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** @param {IDBTransaction} transaction @returns {Promise<void>} */
function over(transaction) {
  return new Promise((resolve, reject) => {
    transaction.oncomplete = () => resolve();
    transaction.onabort = () => reject(transaction.error);
  });
}
