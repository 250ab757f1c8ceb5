// @ts-check

/**
 * A new element. Strings become text, never markup; falsy children are left out.
 * @template {keyof HTMLElementTagNameMap} K
 * @param {K} tag
 * @param {string} className "" for none
 * @param {...(Node | string | false | null | undefined)} children
 * @returns {HTMLElementTagNameMap[K]}
 */
export function make(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  for (const child of children) if (child) element.append(child);
  return element;
}

/** @param {string} className @param {string} label @param {() => void} press */
export function button(className, label, press) {
  const element = make("button", className, label);
  element.type = "button";
  element.addEventListener("click", press);
  return element;
}

/**
 * A button that shows an icon of the sprite and is called by its label.
 *
 * @param {string} icon
 * @param {string} label
 * @param {() => void} press
 */
export function iconButton(icon, label, press) {
  const element = button("icon", "", press);
  element.append(iconOf(icon));
  named(element, label);
  return element;
}

/** @param {HTMLElement} element @param {string} label */
export function named(element, label) {
  element.setAttribute("aria-label", label);
  element.title = label;
}

/** A dot in somebody's colour. @param {string} color */
export function dot(color) {
  const element = make("span", "dot");
  element.style.setProperty("--agent", color);
  element.setAttribute("aria-hidden", "true");
  return element;
}

/** @param {string} name */
function iconOf(name) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#icon-${name}`);
  svg.setAttribute("aria-hidden", "true");
  svg.append(use);
  return svg;
}
