// What every component is written with: html`<b>…</b>` makes elements, and the hooks of Preact keep what changes.
import { Component, h, render } from "../vendor/preact.js";
import htm from "../vendor/htm.js";

export const html = htm.bind(h);
export { render };
export { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from "../vendor/hooks.js";

// A component that is rendered again only when one of its properties is another.
export function kept(component) {
  return class extends Component {
    shouldComponentUpdate(next) {
      const names = new Set([...Object.keys(this.props), ...Object.keys(next)]);
      return [...names].some((name) => this.props[name] !== next[name]);
    }
    render(properties) {
      return h(component, properties);
    }
  };
}
