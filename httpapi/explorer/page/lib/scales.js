// The scales that pictures are drawn on.

// The next number above that reads well: 1, 2, 2.5 or 5 times a power of ten, or a step between.
export function ceiling(value) {
  const power = 10 ** Math.floor(Math.log10(value));
  const found = [1, 1.2, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10].find((factor) => factor * power >= value) * power;
  return Number(found.toPrecision(3));
}

// Marks from 0 up to the end of a scale, three to six of them, at steps that read well.
export function marksUpTo(most) {
  const well = (step) =>
    [1, 2, 2.5, 5].includes(Number((step / 10 ** Math.floor(Math.log10(step))).toPrecision(3)));
  const steps = [5, 4, 6, 3].find((number) => well(most / number)) ?? 4;
  return Array.from({ length: steps + 1 }, (_, i) => Number(((most / steps) * i).toPrecision(3)));
}

// Places of labels that are moved apart until none is nearer than so much to another, within bounds; undefined stays.
export function spread(wanted, least, [from, to]) {
  const order = wanted.map((at, i) => ({ at, i })).filter(({ at }) => at !== undefined);
  order.sort((a, b) => a.at - b.at);
  let next = from;
  for (const label of order) {
    label.at = Math.max(label.at, next);
    next = label.at + least;
  }
  let last = to;
  for (const label of order.toReversed()) {
    label.at = Math.min(label.at, last);
    last = label.at - least;
  }
  const places = wanted.map(() => undefined);
  for (const { at, i } of order) places[i] = at;
  return places;
}
