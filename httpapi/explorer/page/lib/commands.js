// The same request as other programs send it. Each command runs as it stands once its variables are set: URL and KEY
// for a server, DB for the command line.
import { base } from "./api.js";

// A JSON text as a shell has it between single quotes.
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curl(path, request, method) {
  const lines = [
    `curl -sS "$URL${path}"${flag(method)}`,
    `-H "Authorization: $KEY" -H 'Content-Type: application/json'`,
    `-d ${quoted(JSON.stringify(request))}`,
  ];
  return lines.join(" \\\n  ");
}

export const settings = () => `URL=${base} KEY=crosswave_…`;

// The command line asks as the first user unless another one is given by number.
export function commandLine(path, request, method, user) {
  const as = user > 1 && user < firstGiven ? ` --user ${user}` : "";
  return `crosswave query --db "$DB"${as}${flag(method)} ${path} - <<'END'\n${JSON.stringify(request)}\nEND`;
}

// Both send a body by POST unless they are told otherwise.
const flag = (method) => (method && method !== "POST" ? ` -X ${method}` : "");

// Users whose ids are no numbers have numbers from here on, which are not their ids.
const firstGiven = 1e12;

// Programs in Go by the endpoint; what is not here has none.
const programs = {
  "/v2/query/crosstab": {
    type: "CrosstabRequest",
    body: `for cell, err := range c.Crosstab(context.Background(), request) {
		if err != nil {
			log.Fatal(err)
		}
		fmt.Println(cell.RowIndex, cell.ColumnIndex, cell.Audiences.Row.IntersectPercentage, cell.Intersect.Index)
	}`,
  },
  "/v2/query/profile": {
    type: "ProfileRequest",
    body: `profile, err := c.Profile(context.Background(), request)
	if err != nil {
		log.Fatal(err)
	}
	for _, entry := range profile.Data {
		fmt.Println(entry.Namespace, entry.Question, entry.Datapoint, entry.Metrics.AudienceIndex, entry.Stands)
	}`,
  },
};

// What is defined at a path, or changed where the path ends with a code.
function deriving(path) {
  const found = /^\/v2\/questions\/derived(?:\/(.+))?$/.exec(path);
  if (!found) return undefined;
  const [, code] = found;
  const call = code
    ? `ChangeDerived(context.Background(), ${JSON.stringify(decodeURIComponent(code))}, request)`
    : "Derive(context.Background(), request)";
  return {
    type: "DerivedPatch",
    body: `question, err := c.${call}
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(question.Namespace, question.Code, question.Version)`,
  };
}

export function goProgram(path, request) {
  const program = programs[path] ?? deriving(path);
  if (!program) return undefined;
  return `package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log"
	"os"

	"github.com/crosswave/crosswave/httpapi/client"
)

const asked = ${JSON.stringify(JSON.stringify(request))}

func main() {
	var request client.${program.type}
	if err := json.Unmarshal([]byte(asked), &request); err != nil {
		log.Fatal(err)
	}
	c := &client.Client{URL: os.Getenv("URL"), Key: os.Getenv("KEY")}
	${program.body}
}
`;
}
