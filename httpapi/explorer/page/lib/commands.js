// The same request as other programs send it. Each command runs as it stands once its variables are set: URL and KEY
// for a server, DB for the command line.
import { base } from "./api.js";

// A JSON text as a shell has it between single quotes.
const quoted = (text) => `'${text.replaceAll("'", String.raw`'\''`)}'`;

export function curl(path, request, accept, file) {
  const lines = [
    `curl -sS "$URL${path}"`,
    `-H "Authorization: $KEY" -H 'Content-Type: application/json'`,
    ...(accept ? [`-H 'Accept: ${accept}' -o ${file}`] : []),
    `-d ${quoted(JSON.stringify(request))}`,
  ];
  return lines.join(" \\\n  ");
}

export const settings = () => `URL=${base} KEY=crosswave_…`;

export function commandLine(path, request) {
  return `crosswave query --db "$DB" ${path} - <<'END'\n${JSON.stringify(request)}\nEND`;
}

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

export function goProgram(path, request) {
  const program = programs[path];
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
