// Loaded before the MCP conformance suite, which has no option for a token: every request shows it.
import { Agent, setGlobalDispatcher } from "undici";

const authorization = `Bearer ${process.env.CHARDESK_HTTP_TOKEN}`;
const plain = globalThis.fetch;

globalThis.fetch = (input, init = {}) => {
  const headers = new Headers(init.headers);
  headers.set("authorization", authorization);
  return plain(input, { ...init, headers });
};

setGlobalDispatcher(
  new Agent().compose((dispatch) => (options, handler) => {
    const headers = { ...options.headers, authorization };
    return dispatch({ ...options, headers }, handler);
  }),
);
