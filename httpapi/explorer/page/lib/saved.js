// The audiences that a user keeps on the server, and those that others share.
import { ask, send } from "./api.js";

const path = "/v2/saved/audiences";
const page = 1000;

// The id that a folder has which is none.
export const noFolder = "00000000-0000-0000-0000-000000000000";

// All that the user may see, with the number of the user: {audiences, user}.
export async function savedAudiences(signal) {
  const audiences = [];
  for (let total = 1; audiences.length < total;) {
    const { data, meta } = await ask(`${path}?limit=${page}&offset=${audiences.length}`, undefined, {
      signal,
    });
    audiences.push(...data);
    total = data.length ? meta.total : 0;
  }
  const { user_id: user, quotas } = await ask("/v1/me", undefined, { signal });
  return { audiences, user, left: quotas.saved_audiences?.left };
}

// A saved audience with the entity tag of its version: {audience, version}.
export async function readSaved(id, signal) {
  return versioned(await send(`${path}/${id}`, undefined, { signal }));
}

export async function createSaved(record) {
  return versioned(await send(path, record));
}

// Changes what is in a patch, if nobody else has changed the audience since it was read.
export async function changeSaved(id, patch, version) {
  return versioned(await send(`${path}/${id}`, patch, { method: "PATCH", match: version }));
}

export async function deleteSaved(id, version) {
  await send(`${path}/${id}`, undefined, { method: "DELETE", match: version });
}

async function versioned(response) {
  return { audience: await response.json(), version: response.headers.get("ETag") };
}

// Audiences by their folders, as a list of {folder, name, audiences}: those in none first. The interface knows folders
// by their ids alone, so they are numbered, in the order that their ids have.
export function foldersOf(audiences) {
  const ids = [...new Set(audiences.map(({ folder_id: id }) => id))].filter((id) => id !== noFolder).sort();
  return [noFolder, ...ids].map((folder, i) => ({
    folder,
    name: i === 0 ? "In no folder" : `Folder ${i}`,
    audiences: audiences.filter(({ folder_id: id }) => id === folder),
  }));
}

// The id of a new folder, a random UUID.
export function newFolder() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  bytes[6] = (bytes[6] & 0x0f) | 0x40;
  bytes[8] = (bytes[8] & 0x3f) | 0x80;
  const hex = [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20)].join("-");
}

// Why something could not be saved, and what to do about it.
export function savingFailed(refusal) {
  const advice = {
    quota_exceeded: "Delete audiences that are not needed any more, or ask who runs the server for more room.",
    precondition_failed:
      "Somebody has changed it since you opened it. Open it again to see how it is now, or save yours as a new one.",
    conflict: "Others are changing it just now. Try again.",
    forbidden: "Only who made an audience can change it. Save yours as a new one.",
    not_found: "It was deleted meanwhile. Save yours as a new one.",
    storage_full: "The server has no room left. What is there can still be read.",
  };
  return [refusal.message, advice[refusal.type]].filter(Boolean).join(" ");
}
