// @ts-check

const TOKEN_KEY = "chardesk/token";

/**
 * What a hello shows: a one-time code, or the token that an earlier code was traded for.
 *
 * @typedef {{ readonly code: string } | { readonly token: string }} Proof
 */

/**
 * How this browser gets in. The token is kept per origin, so every page of one desk shares it; the code stands in
 * the address's fragment, which no server and no log ever sees, and is taken out of it once it was used.
 */
export class Credentials {
  #store;
  #address;
  /** A token that was not let in. It stays in the store: a desk that runs here at another time may know it. */
  #refusedToken = "";
  /** What the store would not take: this page goes on with it, a reload needs a new code. */
  #unstored = "";

  /**
   * @param {Pick<Storage, "getItem" | "setItem">} store
   * @param {{ readonly hash: () => string, readonly clear: () => void }} address
   */
  constructor(store, address) {
    this.#store = store;
    this.#address = address;
  }

  /** @returns {Proof | null} Null: this browser has to be let in first. */
  proof() {
    const code = new URLSearchParams(this.#address.hash().slice(1)).get("code");
    if (code) return { code };
    const token = this.#unstored || this.#store.getItem(TOKEN_KEY);
    return token && token !== this.#refusedToken ? { token } : null;
  }

  /** The proof let this browser in. @param {string} [token] What a code was traded for. */
  accepted(token) {
    this.#spend();
    if (!token) return;
    this.#unstored = "";
    try {
      this.#store.setItem(TOKEN_KEY, token);
    } catch {
      this.#unstored = token;
    }
  }

  /** The proof was not let in: it is not shown again. */
  refused() {
    const proof = this.proof();
    if (proof && "token" in proof) this.#refusedToken = proof.token;
    this.#spend();
  }

  #spend() {
    if (this.#address.hash().includes("code=")) this.#address.clear();
  }
}
