// A picture on screen as a file. Its colours and letters come from style sheets, which a file has not, so they are
// written into it; on white, whatever the screen is like.
import { tabbed } from "./tsv.js";

const taken = [
  "fill",
  "fill-opacity",
  "stroke",
  "stroke-width",
  "stroke-dasharray",
  "stroke-linejoin",
  "opacity",
  "font-size",
  "font-weight",
  "font-family",
];

const margin = 16;
const titleHeight = 34;

// The SVG of a picture with its title and its key above, and with notes, one a line, below.
export function svgOf(picture, title, notes = []) {
  const root = document.documentElement;
  root.style.colorScheme = "light"; // for as long as the colours are read
  const copy = picture.cloneNode(true);
  styled(picture, copy);
  const [width, height] = [picture.width.baseVal.value, picture.height.baseVal.value];
  const key = keyOf(picture, width);
  root.style.removeProperty("color-scheme");
  const top = titleHeight + key.height;
  const size = { width: width + 2 * margin, height: height + top + margin + 18 * notes.length };
  const svg = element("svg", { ...size, viewBox: `0 0 ${size.width} ${size.height}` });
  svg.append(element("rect", { ...size, fill: "#ffffff" }));
  svg.append(words(title, margin, 26, { "font-size": 17, "font-weight": 600 }), key.node);
  const place = element("g", { transform: `translate(${margin} ${top})` });
  place.append(...copy.childNodes);
  svg.append(place);
  notes.forEach((note, i) => {
    svg.append(words(note, margin, height + top + 14 + 18 * i, { "font-size": 12, fill: "#59626e" }));
  });
  return { text: new XMLSerializer().serializeToString(svg), ...size };
}

// The key that stands beside a picture on the page, in as many lines as it needs.
function keyOf(picture, width) {
  const node = element("g", { transform: `translate(${margin} ${titleHeight + 4})` });
  const entries = [...picture.parentElement.querySelectorAll(".key li")];
  let [x, y] = [0, 0];
  for (const entry of entries) {
    const name = entry.textContent.trim();
    const wide = 34 + 7 * name.length;
    if (x > 0 && x + wide > width) [x, y] = [0, y + 20];
    const mark = entry.querySelector("g");
    const copy = mark.cloneNode(true);
    styled(mark, copy);
    const place = element("g", { transform: `translate(${x} ${y})` });
    place.append(copy, words(name, 20, 11, { "font-size": 12 }));
    node.append(place);
    x += wide;
  }
  return { node, height: entries.length ? y + 28 : 0 };
}

function styled(from, to) {
  const style = getComputedStyle(from);
  for (const name of taken) to.setAttribute(name, style.getPropertyValue(name));
  to.removeAttribute("class");
  for (let i = 0; i < from.children.length; i++) styled(from.children[i], to.children[i]);
}

function words(text, x, y, attributes) {
  const node = element("text", {
    x,
    y,
    fill: "#1b1f24",
    "font-family": "system-ui, sans-serif",
    ...attributes,
  });
  node.textContent = text;
  return node;
}

function element(name, attributes) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", name);
  for (const [attribute, value] of Object.entries(attributes)) node.setAttribute(attribute, value);
  return node;
}

// The same as a picture of points, twice as fine as the screen.
export async function pngOf({ text, width, height }) {
  const address = URL.createObjectURL(new Blob([text], { type: "image/svg+xml" }));
  try {
    const image = new Image(width, height);
    image.src = address;
    await image.decode();
    const canvas = document.createElement("canvas");
    [canvas.width, canvas.height] = [2 * width, 2 * height];
    const context = canvas.getContext("2d");
    context.scale(2, 2);
    context.drawImage(image, 0, 0, width, height);
    return await new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
  } finally {
    URL.revokeObjectURL(address);
  }
}

// What a view with a picture has to take away beside the answer itself, for the dialog of it. picture is a reference to
// the SVG on screen, rows what it shows.
export function extrasOf(picture, title, notes, rows) {
  const svg = () => svgOf(picture.current, title, notes);
  return [
    { name: "PNG", ending: "png", make: async () => pngOf(svg()) },
    { name: "SVG", ending: "svg", make: async () => new Blob([svg().text], { type: "image/svg+xml" }) },
    {
      name: "TSV",
      ending: "tsv",
      make: async () => new Blob([tabbed(rows)], { type: "text/tab-separated-values" }),
    },
  ];
}
