import type { Answer, Expression } from "./expression.js";
import type { ForbiddenCodes } from "./service.js";

/** A mark of a saved audience. */
export type SavedFlag = "authored" | "curated" | "isP2";

/** An audience that a user keeps. */
export interface Saved {
  /** Audience id, a UUID. */
  id: string;
  /** Number of the audience, for clients of version 1. */
  v1_id: number;
  /** The owner. */
  user_id: number;
  /** Name. */
  name: string;
  /** Who is in it, in words, made from the expression. */
  description: string;
  /** Who is in it, as it was sent, with suffixes as whole numbers. */
  expression: Expression;
  /** Codes of the datasets the expression draws on, or as they were set. */
  datasets: string[];
  /** Marks. */
  flags: SavedFlag[];
  /** The folder it lies in, a UUID; the nil UUID if it lies in none. */
  folder_id: string;
  /** What lists are sorted by. */
  position: number;
  /** Whether all other users may read it. */
  shared: boolean;
  /** What the key may do with it. */
  permissions: {
    /** Whether it can be counted, some codes in it are not granted, or some are no longer there. */
    audience_overall: "accessible" | "inaccessible" | "containsUnknownData";
    /** The codes that stand in the way; `{}` if there are none. */
    meta: ForbiddenCodes | Record<string, never>;
  };
  /** Whom it is shared with; `{}` if with nobody. */
  sharings: {
    /** With all users. */
    everyone?: boolean;
  };
  /** When it was made, RFC 3339, UTC. */
  created_at: string;
  /** When it was changed last, RFC 3339, UTC. */
  updated_at: string;
}

/** What of a saved audience is set; what is left out stays as it is. */
export interface SavedPatch {
  /** Name, 1–255 characters. */
  name?: string;
  /** Who is in it. It is held against the catalogue first. */
  expression?: Expression | null;
  /** Dataset codes, in place of those that follow from the expression; an empty list makes them follow again. */
  datasets?: string[];
  /** Marks. */
  flags?: SavedFlag[];
  /** Folder to put it into, a UUID, made if it is new; null takes it out. */
  folder_id?: string | null;
  /** Number of the folder, for clients of version 1: use `folder_id`. */
  folder?: number;
  /** What lists are sorted by. */
  position?: number;
  /** Whether all other users may read it. */
  shared?: boolean;
}

/** What a new saved audience is made of. */
export type SaveRequest = SavedPatch & { name: string; expression: Expression };

/** Which saved audiences. */
export interface SavedFilter {
  /** Only those in this folder, a UUID; the nil UUID: only those in none. */
  folder_id?: string;
  /** Only those with any of these flags. */
  flags?: SavedFlag[];
  /** How many to tell at most, up to 1,000; 1,000 unless given. */
  limit?: number;
  /** How many to leave out before the first that is told. */
  offset?: number;
}

/** The saved audiences of a user, and those shared with them. */
export type SavedList = Answer<
  {
    /** How many there are on all pages. */
    total: number;
  },
  Saved[]
>;
