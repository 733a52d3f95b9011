import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { fileURLToPath } from "node:url";
import ts from "typescript";
import { Client } from "../../dist/index.js";
import { Store } from "./serving.js";

/** What of a JSON schema is looked at. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  const?: unknown;
  enum?: unknown[];
  oneOf?: Schema[];
  anyOf?: Schema[];
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  readOnly?: boolean;
}

interface Body {
  content?: Record<string, { schema: Schema }>;
}

interface OpenAPI {
  paths: Record<string, Record<string, { operationId: string; requestBody?: Body; responses: Record<string, Body> }>>;
  components: { schemas: Record<string, Schema> };
}

/** Compares schemas with types, and notes where they differ. */
class Comparison {
  readonly faults: string[] = [];
  private readonly seen = new Set<string>();

  constructor(
    private readonly document: OpenAPI,
    private readonly checker: ts.TypeChecker,
    private readonly at: ts.Node,
  ) {}

  /** Holds a schema against a type. Expressions and audiences may be null wherever a type lets them be. */
  compare(schema: Schema, type: ts.Type, where: string): void {
    const name = schema.$ref?.split("/").at(-1);
    if (name) {
      const pair = `${name} ${this.checker.typeToString(this.checker.getNonNullableType(type))}`;
      if (this.seen.has(pair)) return;
      this.seen.add(pair);
      schema = this.document.components.schemas[name]!;
    }
    const mayBeNull = Array.isArray(schema.type) && schema.type.includes("null");
    const typeMayBeNull = type.isUnion() && type.types.some((t) => t.flags & ts.TypeFlags.Null);
    const lenient = name === "Expression" || name === "Audience";
    if (mayBeNull !== typeMayBeNull && !lenient) this.fault(where, mayBeNull ? "may be null" : "is never null");
    this.bare(schema, this.checker.getNonNullableType(type), where);
  }

  private bare(schema: Schema, type: ts.Type, where: string): void {
    const kind = Array.isArray(schema.type) ? schema.type.find((t) => t !== "null") : schema.type;
    const several = schema.oneOf ?? schema.anyOf;
    if (several) this.several(several, type, where);
    else if (schema.const !== undefined) this.literals([schema.const], type, where);
    else if (schema.enum) this.literals(schema.enum, type, where);
    else if (kind === "string") this.flag(type, ts.TypeFlags.String, where, kind);
    else if (kind === "number" || kind === "integer") this.flag(type, ts.TypeFlags.Number, where, kind);
    else if (kind === "boolean") this.flag(type, ts.TypeFlags.Boolean, where, kind);
    else if (kind === "array") this.array(schema, type, where);
    else this.object(schema, type, where);
  }

  /** Each of several schemas has a part of the type that it fits. */
  private several(schemas: Schema[], type: ts.Type, where: string): void {
    const parts = type.isUnion() ? type.types : [type];
    for (const schema of schemas) {
      const fits = parts.some((part) => {
        const trial = new Comparison(this.document, this.checker, this.at);
        trial.compare(schema, part, where);
        return trial.faults.length === 0;
      });
      if (!fits) this.fault(where, `is never ${JSON.stringify(schema)}`);
    }
  }

  private literals(values: unknown[], type: ts.Type, where: string): void {
    const parts = (type.isUnion() ? type.types : [type]).map((part) => this.checker.typeToString(part));
    const want = values.map((value) => JSON.stringify(value));
    if (parts.sort().join() !== want.sort().join())
      this.fault(where, `is ${parts.join(" | ")}, not ${want.join(" | ")}`);
  }

  private flag(type: ts.Type, flag: ts.TypeFlags, where: string, kind: string): void {
    if (!(type.flags & flag)) this.fault(where, `is ${this.checker.typeToString(type)}, not ${kind}`);
  }

  private array(schema: Schema, type: ts.Type, where: string): void {
    if (!this.checker.isArrayType(type)) return this.fault(where, "is no array");
    this.compare(schema.items!, this.checker.getTypeArguments(type as ts.TypeReference)[0]!, where + "[]");
  }

  private object(schema: Schema, type: ts.Type, where: string): void {
    if (typeof schema.additionalProperties === "object") {
      const index = this.checker.getIndexInfoOfType(type, ts.IndexKind.String);
      if (!index) return this.fault(where, "has no index");
      return this.compare(schema.additionalProperties, index.type, where + "{}");
    }
    const properties = Object.entries(schema.properties ?? {}).filter((p) => !p[1].readOnly);
    for (const [name, property] of properties) {
      const symbol = type.getProperty(name);
      if (!symbol) {
        this.fault(`${where}.${name}`, "is missing");
        continue;
      }
      const optional = (symbol.flags & ts.SymbolFlags.Optional) !== 0;
      const required = schema.required?.includes(name) ?? false;
      if (optional === required) this.fault(`${where}.${name}`, required ? "is required" : "is optional");
      const kind = [property.type].flat();
      const documented = symbol.getDocumentationComment(this.checker).length > 0;
      if ((kind.includes("number") || kind.includes("integer")) && !documented)
        this.fault(`${where}.${name}`, "has no unit");
      this.compare(property, this.checker.getTypeOfSymbolAtLocation(symbol, this.at), `${where}.${name}`);
    }
    const known = new Set(properties.map((p) => p[0]));
    for (const symbol of schema.properties ? type.getProperties() : []) {
      if (!known.has(symbol.name)) this.fault(`${where}.${symbol.name}`, "is not in the document");
    }
  }

  private fault(where: string, what: string): void {
    this.faults.push(`${where} ${what}`);
  }
}

const file = fileURLToPath(new URL("../src/contract.ts", import.meta.url));
const program = ts.createProgram([file], {
  strict: true,
  module: ts.ModuleKind.NodeNext,
  target: ts.ScriptTarget.ES2022,
  types: [],
});
let document: OpenAPI;
let store: Store;

before(async () => {
  store = await Store.ragged();
  const key = await store.key(); // without one nothing is served
  const { url, end } = await store.serve();
  document = (await new Client({ url, key }).openapi()) as unknown as OpenAPI;
  await end();
});

after(() => store.remove());

/** The members of an interface of contract.ts, by name. */
function declared(name: string): { members: Map<string, ts.Type>; checker: ts.TypeChecker; at: ts.Node } {
  const checker = program.getTypeChecker();
  const source = program.getSourceFile(file);
  assert(source);
  const symbol = checker.getExportsOfModule(checker.getSymbolAtLocation(source)!).find((s) => s.name === name);
  assert(symbol);
  const properties = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return {
    members: new Map(properties.map((p) => [p.name, checker.getTypeOfSymbolAtLocation(p, source)])),
    checker,
    at: source,
  };
}

test("the types of each operation are those of the document", () => {
  const { members, checker, at } = declared("Operations");
  const comparison = new Comparison(document, checker, at);
  const operations = Object.values(document.paths).flatMap((methods) => Object.values(methods));
  assert.deepEqual(new Set(operations.map((o) => o.operationId)), new Set(members.keys()));
  for (const { operationId, requestBody, responses } of operations) {
    const [request, answer] = checker.getTypeArguments(members.get(operationId) as ts.TypeReference);
    const sent = requestBody?.content?.["application/json"]?.schema;
    const success = responses["200"] ?? responses["201"];
    const got = (success?.content?.["application/json"] ?? success?.content?.["text/html"])?.schema;
    assert(request && answer);
    if (sent) comparison.compare(sent, request, `the request of ${operationId}`);
    else assert.equal(checker.typeToString(request), "undefined", operationId);
    if (got) comparison.compare(got, answer, `the answer of ${operationId}`);
    else assert.equal(checker.typeToString(answer), "undefined", operationId);
  }
  assert.deepEqual(comparison.faults, []);
});

test("the types of errors and of cells are those of the document", () => {
  const { members, checker, at } = declared("Schemas");
  const comparison = new Comparison(document, checker, at);
  for (const [name, type] of members) comparison.compare({ $ref: `#/components/schemas/${name}` }, type, name);
  assert.deepEqual(comparison.faults, []);
});

test("what differs from the document is found", () => {
  const { members, checker, at } = declared("Schemas");
  const spoilt = structuredClone(document);
  const cell = spoilt.components.schemas["CrosstabCell"]!;
  cell.required = ["audiences"];
  cell.properties!["row_index"]!.type = ["integer", "null"];
  cell.properties!["new"] = { type: "string" };
  delete cell.properties!["base"];
  spoilt.components.schemas["Coverage"]!.properties!["waves"]!.items!.type = "number";
  spoilt.components.schemas["ErrorType"]!.enum!.push("new");
  const comparison = new Comparison(spoilt, checker, at);
  for (const name of ["CrosstabCell", "ErrorType"]) {
    comparison.compare({ $ref: `#/components/schemas/${name}` }, members.get(name)!, name);
  }
  const faults = comparison.faults.map((f) => f.split(", not")[0]);
  for (const fault of [
    "CrosstabCell.row_index may be null",
    "CrosstabCell.row_index is optional",
    "CrosstabCell.new is missing",
    "CrosstabCell.base is not in the document",
    "CrosstabCell.coverage.waves[] is string",
  ]) {
    assert(faults.includes(fault), `${fault}: ${faults.join("; ")}`);
  }
  assert(faults.some((f) => f?.startsWith("ErrorType is")));
});
