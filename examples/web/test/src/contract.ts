import type * as crosswave from "../../dist/index.js";

/** What of a request has no body. */
export type Nothing = undefined;

/** The types of each operation of the OpenAPI document: of the request's body, and of the answer. */
export interface Operations {
  crosstab: [crosswave.CrosstabRequest, crosswave.CrosstabAnswer];
  intersection: [crosswave.IntersectionRequest, crosswave.IntersectionAnswer];
  stats: [crosswave.StatsRequest, crosswave.StatsAnswer];
  summary: [crosswave.SummaryRequest, crosswave.SummaryAnswer];
  profile: [crosswave.ProfileRequest, crosswave.ProfileAnswer];
  association: [crosswave.AssociationRequest, crosswave.AssociationAnswer];
  waveCountsV2: [crosswave.Expression, crosswave.Trend];
  waveCountsV3: [crosswave.WaveCountsRequest, crosswave.WaveCounts];
  questions: [crosswave.QuestionFilter, crosswave.QuestionPage];
  locations: [crosswave.LocationFilter, { locations: crosswave.Location[] }];
  waves: [crosswave.WaveFilter, { waves: crosswave.Wave[] }];
  namespaces: [crosswave.NamespaceFilter, { namespaces: crosswave.Namespace[] }];
  categories: [{ categories?: { id: string }[] }, { categories: crosswave.Category[] }];
  datasets: [{ datasets?: crosswave.CodeFilter[] }, { datasets: crosswave.Dataset[] }];
  insightsFilter: [crosswave.InsightFilter, crosswave.InsightPage];
  insight: [Nothing, crosswave.Insight];
  explore: [Nothing, crosswave.ExploreView];
  savedCreate: [crosswave.SaveRequest, crosswave.Saved];
  savedList: [Nothing, crosswave.SavedList];
  savedRead: [Nothing, crosswave.Saved];
  savedUpdate: [crosswave.SavedPatch, crosswave.Saved];
  savedDelete: [Nothing, Nothing];
  derivedCreate: [crosswave.DeriveRequest, crosswave.Derived];
  derivedList: [Nothing, crosswave.DerivedList];
  derivedRead: [Nothing, crosswave.Derived];
  derivedUpdate: [crosswave.DerivedPatch, crosswave.Derived];
  derivedDelete: [Nothing, Nothing];
  me: [Nothing, crosswave.Me];
  health: [Nothing, crosswave.Status];
  ready: [Nothing, crosswave.Status];
  openapi: [Nothing, crosswave.OpenAPI];
  docs: [Nothing, string];
}

/** The schemas that no operation's success has. */
export interface Schemas {
  CrosstabCell: crosswave.CrosstabCell;
  ErrorType: crosswave.ErrorType;
  ForbiddenCodes: crosswave.ForbiddenCodes;
  QueryError: crosswave.QueryError;
  QueryForbidden: crosswave.QueryForbidden;
  RecordError: crosswave.RecordError;
  InsightError: crosswave.InsightError;
  InsightUnauthorized: crosswave.InsightUnauthorized;
}
