// How figures are written, everywhere on the page: percentages with a decimal, indexes, people and respondents whole.
// The formats that browsers have themselves take longer to get ready than all the rest of the page.
const digits = (value, decimals) => value.toFixed(decimals).replace(/\B(?=(\d{3})+(?!\d))/g, ",");

export const count = (value) => digits(value, 0);
export const percent = (value) => `${digits(value, 1)} %`;
export const index = (value) => digits(value, 0);
export const points = (value) => `${value > 0 ? "+" : ""}${digits(value, 1)}`;
export const probability = (p) => (p < 0.001 ? "< 0.001" : `= ${p.toFixed(3)}`);

// The ends of an interval as they stand behind a figure; nothing where there is none.
export function ends(interval, write) {
  return interval ? `${write(interval.low)} to ${write(interval.high)}` : "";
}

// "1 wave", "3 waves".
export function many(number, one, several = `${one}s`) {
  return `${count(number)} ${number === 1 ? one : several}`;
}

// A list in words, cut after so many of them.
export function listed(names, most = 4) {
  if (names.length <= most) return names.join(", ");
  return `${names.slice(0, most - 1).join(", ")} and ${names.length - most + 1} more`;
}
