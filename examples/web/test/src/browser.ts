import { existsSync } from "node:fs";

/** The browser that pages are opened with. Chromium without its window comes first: it takes two thirds of the time. */
export const program = [
  "/usr/bin/chromium-headless-shell",
  "/usr/bin/chromium",
  "/usr/bin/chromium-browser",
  "/usr/bin/google-chrome",
].find(existsSync);

/** Why tests that need a browser are left out; false if they are not. */
export const skip = program ? false : "there is no Chromium to open the page with";
