// @ts-check
import { Preferences } from "./lib/preferences.js";
import { dressed } from "./panels/appearance.js";
import { ConnectionPanel } from "./panels/connection.js";
import { agentsTable, shelfOf } from "./panels/company/management.js";
import { T } from "./words/language.js";
import { sayThePage } from "./words/spoken.js";
import { Thumbnails } from "./parts/thumbnails.js";
import { byId } from "./view/stage.js";
import { openLink } from "./wire/open.js";

/** @param {string} id */
const element = (id) => byId(id, HTMLElement);

sayThePage();
document.title = T.pageTitle(T.page["desk"] ?? "");
dressed(new Preferences(localStorage));
const link = openLink("desk");
const connection = new ConnectionPanel(
  { pill: element("connection"), banner: element("banner"), gate: element("gate") },
  { takeSeat: () => undefined, save: () => undefined },
);
const thumbnails = new Thumbnails((tool, args) => link.ask(tool, args));
const showShelf = shelfOf(element("shelf"), thumbnails);
const showAgents = agentsTable(element("agents"));

link.state.subscribe((state) => {
  document.documentElement.dataset["state"] = state;
  connection.show({ state });
});
link.canvases.subscribe((shelf) => shelf && showShelf(shelf.canvases));
link.agents.subscribe((agents) => showAgents(agents, link.governed.value.names));
link.governed.subscribe(({ names }) => showAgents(link.agents.value, names));
link.activity.subscribe(({ canvas, sheet }) => {
  const found = link.canvases.value?.canvases.find(({ id }) => id === canvas)?.sheets.find(({ id }) => id === sheet);
  if (found) thumbnails.refresh(canvas, found);
});
