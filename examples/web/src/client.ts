import type * as catalogue from "./catalogue.js";
import type {
  CrosstabAnswer,
  CrosstabCell,
  CrosstabRequest,
  IntersectionAnswer,
  IntersectionRequest,
} from "./crosstab.js";
import type { Expression } from "./expression.js";
import type { ExploreView, Insight, InsightFilter, InsightPage } from "./insights.js";
import type { Derived, DerivedFilter, DerivedList, DerivedPatch, DeriveRequest } from "./derived.js";
import type { Saved, SavedFilter, SavedList, SavedPatch, SaveRequest } from "./saved.js";
import type { Me, OpenAPI, Status } from "./service.js";
import type * as stats from "./stats.js";
import { cells, parsed, records, Wire } from "./wire.js";
import type { CallOptions, ClientOptions } from "./wire.js";

const savedPath = "/v2/saved/audiences";
const derivedPath = "/v2/questions/derived";

/**
 * One server, asked with one key. Where it asks to wait (429, 503) it is asked again after as long as it says, but for
 * changes, which are sent again after a 429 alone: then the server did not look at them. What it refuses is thrown as a
 * CrosswaveError, what breaks off as a BrokenOffError, and an abort as the signal's reason.
 */
export class Client {
  readonly #wire: Wire;
  readonly #keep: number;
  readonly #kept = new Map<string, { tag: string; text: string }>();

  constructor(options: ClientOptions) {
    this.#wire = new Wire(options);
    this.#keep = options.kept ?? 16;
  }

  /** The version of the survey that the last answer was formed from; undefined before the first. */
  get seenVersion(): number | undefined {
    return this.#wire.seenVersion;
  }

  /**
   * The cells of a crosstab, row by row, as the server forms them. The request is sent with the first cell that is
   * taken, no more is kept than is on its way, and leaving the loop ends the request.
   */
  async *crosstab(
    request: CrosstabRequest = {},
    options: CallOptions = {},
  ): AsyncGenerator<CrosstabCell, void, undefined> {
    const response = await this.#wire.send("POST", "/v2/query/crosstab", JSON.stringify(request), options);
    yield* cells<CrosstabCell>(response, options.signal);
  }

  /** A crosstab as one document, where cells are not wanted one by one. */
  async crosstabDocument(request: CrosstabRequest = {}, options?: CallOptions): Promise<CrosstabAnswer> {
    return this.#query("/v2/query/crosstab?stream=false", request, options);
  }

  /** The figures of one row and one column. */
  async intersection(request: IntersectionRequest, options?: CallOptions): Promise<IntersectionAnswer> {
    return this.#query("/v2/query/intersection", request, options);
  }

  /** An entry for each datapoint × segment × audience, in that order. */
  async stats(request: stats.StatsRequest, options?: CallOptions): Promise<stats.StatsAnswer> {
    return this.#query("/v2/query/stats", request, options);
  }

  /** The numbers of a question: an entry for each segment × audience, in that order. */
  async summary(request: stats.SummaryRequest, options?: CallOptions): Promise<stats.SummaryAnswer> {
    return this.#query("/v2/query/summary", request, options);
  }

  /** What sets an audience apart, the farthest first. */
  async profile(request: stats.ProfileRequest, options?: CallOptions): Promise<stats.ProfileAnswer> {
    return this.#query("/v2/query/profile", request, options);
  }

  /** How far two questions go together. */
  async association(request: stats.AssociationRequest, options?: CallOptions): Promise<stats.AssociationAnswer> {
    return this.#query("/v2/query/association", request, options);
  }

  /** An audience in all waves, and in each (version 3 of the endpoint). */
  async waveCounts(request: stats.WaveCountsRequest, options?: CallOptions): Promise<stats.WaveCounts> {
    return this.#query("/v3/query/audience_wave_counts", request, options);
  }

  /** An audience by wave, with how sure each percentage is (version 2 of the endpoint). */
  async trend(expression: Expression, more: stats.TrendOptions = {}, options?: CallOptions): Promise<stats.Trend> {
    return this.#query("/v2/query/audience_wave_counts" + parameters({ ...more }), expression, options);
  }

  /** Questions, in the survey's order, with their answers and where they stand if that is included. */
  async questions(filter: catalogue.QuestionFilter = {}, options?: CallOptions): Promise<catalogue.Question[]> {
    return (await this.#listed<catalogue.QuestionPage>("/v3/questions/filter", filter, options)).questions;
  }

  /** A page of the questions that have all words of a search, the best first, and how many there are. */
  async find(
    search: string,
    filter: Omit<catalogue.QuestionFilter, "search"> = {},
    options?: CallOptions,
  ): Promise<Required<catalogue.QuestionPage>> {
    return this.#listed("/v3/questions/filter", { ...filter, search }, options);
  }

  /** Locations, in the survey's order, with where they were fielded. */
  async locations(filter: catalogue.LocationFilter = {}, options?: CallOptions): Promise<catalogue.Location[]> {
    return (await this.#listed<{ locations: catalogue.Location[] }>("/v2/locations/filter", filter, options)).locations;
  }

  /** Waves, oldest first, with where they were fielded. */
  async waves(filter: catalogue.WaveFilter = {}, options?: CallOptions): Promise<catalogue.Wave[]> {
    return (await this.#listed<{ waves: catalogue.Wave[] }>("/v2/waves/filter", filter, options)).waves;
  }

  /** Namespaces, the default one first. */
  async namespaces(filter: catalogue.NamespaceFilter = {}, options?: CallOptions): Promise<catalogue.Namespace[]> {
    return (await this.#listed<{ namespaces: catalogue.Namespace[] }>("/v2/namespaces/filter", filter, options))
      .namespaces;
  }

  /** Categories by their ids, in the survey's order; none: all. */
  async categories(ids: string[] = [], options?: CallOptions): Promise<catalogue.Category[]> {
    const filter = { categories: ids.map((id) => ({ id })) };
    return (await this.#listed<{ categories: catalogue.Category[] }>("/v2/categories/filter", filter, options))
      .categories;
  }

  /** Datasets by their codes, in the survey's order; none: all. */
  async datasets(codes: string[] = [], options?: CallOptions): Promise<catalogue.Dataset[]> {
    const filter = { datasets: codes.map((code) => ({ code })) };
    return (await this.#listed<{ datasets: catalogue.Dataset[] }>("/v2/datasets/filter", filter, options)).datasets;
  }

  /** A page of insights. */
  async insights(filter: InsightFilter = {}, options?: CallOptions): Promise<InsightPage> {
    return records(await this.#wire.text("POST", "/v3/insights/filter", JSON.stringify(filter), options));
  }

  /** One insight. */
  async insight(id: number, options?: CallOptions): Promise<Insight> {
    return records(await this.#wire.text("GET", `/v3/insights/${id}`, undefined, options));
  }

  /** A generic insight, with the figures behind it. */
  async explore(id: string, options?: CallOptions): Promise<ExploreView> {
    const path = `/v1/insights-api/generic/insights/${encodeURIComponent(id)}`;
    return parsed(await this.#wire.text("GET", path, undefined, options));
  }

  /** Saves an audience. */
  async save(request: SaveRequest, options?: CallOptions): Promise<Saved> {
    return records(await this.#wire.text("POST", savedPath, JSON.stringify(request), options));
  }

  /** Reads a saved audience. Its ETag is among the headers of the answer. */
  async saved(id: string, options?: CallOptions): Promise<Saved> {
    return records(await this.#wire.text("GET", `${savedPath}/${encodeURIComponent(id)}`, undefined, options));
  }

  /** Lists the user's saved audiences and those that others share, by position, then id: a page of them. */
  async listSaved(filter: SavedFilter = {}, options?: CallOptions): Promise<Saved[]> {
    const { folder_id, flags, limit, offset } = filter;
    const path = savedPath + parameters({ folder_id, flags: flags?.join(","), limit, offset });
    return records<SavedList>(await this.#wire.text("GET", path, undefined, options)).data;
  }

  /** Changes a saved audience. With `ifMatch` it is changed only if it is still at that version. */
  async changeSaved(id: string, patch: SavedPatch, options?: CallOptions): Promise<Saved> {
    const path = `${savedPath}/${encodeURIComponent(id)}`;
    return records(await this.#wire.text("PATCH", path, JSON.stringify(patch), options));
  }

  /** Deletes a saved audience. With `ifMatch` it is deleted only if it is still at that version. */
  async deleteSaved(id: string, options?: CallOptions): Promise<void> {
    await this.#wire.text("DELETE", `${savedPath}/${encodeURIComponent(id)}`, undefined, options);
  }

  /** Defines a derived question. */
  async derive(request: DeriveRequest, options?: CallOptions): Promise<Derived> {
    return records(await this.#wire.text("POST", derivedPath, JSON.stringify(request), options));
  }

  /** Reads a derived question. Its ETag is among the headers of the answer. */
  async derived(code: string, options?: CallOptions): Promise<Derived> {
    return records(await this.#wire.text("GET", `${derivedPath}/${encodeURIComponent(code)}`, undefined, options));
  }

  /** Lists the user's derived questions, and those of others that they may use, by code: a page of them. */
  async listDerived(filter: DerivedFilter = {}, options?: CallOptions): Promise<Derived[]> {
    const path = derivedPath + parameters({ limit: filter.limit, offset: filter.offset });
    return records<DerivedList>(await this.#wire.text("GET", path, undefined, options)).data;
  }

  /** Changes a derived question. With `ifMatch` it is changed only if it is still at that version. */
  async changeDerived(code: string, patch: DerivedPatch, options?: CallOptions): Promise<Derived> {
    const path = `${derivedPath}/${encodeURIComponent(code)}`;
    return records(await this.#wire.text("PATCH", path, JSON.stringify(patch), options));
  }

  /** Deletes a derived question. With `ifMatch` it is deleted only if it is still at that version. */
  async deleteDerived(code: string, options?: CallOptions): Promise<void> {
    await this.#wire.text("DELETE", `${derivedPath}/${encodeURIComponent(code)}`, undefined, options);
  }

  /** Who the key belongs to, what they may use and how much of it. */
  async me(options?: CallOptions): Promise<Me> {
    return records(await this.#wire.text("GET", "/v1/me", undefined, options));
  }

  /** Whether the process is alive. */
  async health(options?: CallOptions): Promise<Status> {
    return parsed(await this.#wire.text("GET", "/healthz", undefined, options));
  }

  /** Whether the server can answer questions. */
  async ready(options?: CallOptions): Promise<Status> {
    return parsed(await this.#wire.text("GET", "/readyz", undefined, options));
  }

  /** The OpenAPI document. */
  async openapi(options?: CallOptions): Promise<OpenAPI> {
    return parsed(await this.#wire.text("GET", "/openapi.json", undefined, options));
  }

  /** The OpenAPI document for people, as HTML. */
  async docs(options?: CallOptions): Promise<string> {
    return this.#wire.text("GET", "/docs", undefined, options);
  }

  async #query<T>(path: string, request: object, options: CallOptions | undefined): Promise<T> {
    return parsed(await this.#wire.text("POST", path, JSON.stringify(request), options));
  }

  /** Asks for records of the catalogue. Those that were asked for before come again only if they have changed. */
  async #listed<T>(path: string, filter: object, options: CallOptions | undefined): Promise<T> {
    const sent = JSON.stringify(filter);
    const name = `${path} ${sent}`;
    const known = this.#kept.get(name);
    const response = await this.#wire.send("POST", path, sent, options, known?.tag);
    if (known && response.status === 304) {
      await response.body?.cancel();
      return parsed(known.text);
    }
    const text = await this.#wire.read(response, options);
    this.#remember(name, response.headers.get("ETag"), text);
    return parsed(text);
  }

  /** Keeps an answer, and lets the one go that has been there the longest. */
  #remember(name: string, tag: string | null, text: string): void {
    this.#kept.delete(name);
    if (tag === null || this.#keep < 1) return;
    for (const oldest of this.#kept.keys()) {
      if (this.#kept.size < this.#keep) break;
      this.#kept.delete(oldest);
    }
    this.#kept.set(name, { tag, text });
  }
}

/** What stands behind a path, for those parameters that are there. */
function parameters(values: Record<string, string | number | boolean | undefined>): string {
  const there = Object.entries(values).filter((entry) => entry[1] !== undefined);
  if (there.length === 0) return "";
  return "?" + new URLSearchParams(there.map(([name, value]) => [name, String(value)])).toString();
}
