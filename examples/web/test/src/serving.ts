import { execFile, spawn } from "node:child_process";
import { mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { RequestListener, Server } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";

const run = promisify(execFile);

/** The repository, and in it the survey of two waves and three locations, of which one starts late. */
export const root = fileURLToPath(new URL("../../../../", import.meta.url));
const ragged = join(root, "httpapi/testdata/ragged");

/** A store on disk, with keys, and the program that serves it. */
export class Store {
  private constructor(
    private readonly directory: string,
    private readonly program: string,
  ) {}

  /** Imports the ragged survey and its insights. The program is CROSSWAVE_BINARY, or built here. */
  static async ragged(): Promise<Store> {
    const store = await Store.empty();
    await store.run("import", "--codebook", join(ragged, "codebook.json"), join(ragged, "data.csv"));
    await store.run("insights", "import", join(ragged, "insights.json"));
    return store;
  }

  /** Generates the demo survey. */
  static async demo(): Promise<Store> {
    const store = await Store.empty();
    await store.run("demo", "--once", "--respondents", "6000");
    return store;
  }

  private static async empty(): Promise<Store> {
    const directory = await mkdtemp(join(tmpdir(), "crosswave-web-"));
    let program = process.env["CROSSWAVE_BINARY"];
    if (!program) {
      program = join(directory, "crosswave");
      await run("go", ["build", "-o", program, "./cmd/crosswave"], { cwd: root });
    }
    return new Store(directory, program);
  }

  /** Runs a command on the store and gives what it prints. */
  async run(...args: string[]): Promise<string> {
    const words = ["insights", "key", "wave"].includes(args[0] ?? "") ? 2 : 1; // of the command, which flags come after
    const db = ["--db", join(this.directory, "survey.db")];
    const { stdout } = await run(this.program, [...args.slice(0, words), ...db, ...args.slice(words)]);
    return stdout.trim();
  }

  /** Makes a key. */
  async key(...flags: string[]): Promise<string> {
    return this.run("key", "create", ...flags);
  }

  /** Serves the store on a free port, until the end is called. */
  async serve(...flags: string[]): Promise<{ url: string; end: () => Promise<void> }> {
    const db = join(this.directory, "survey.db");
    const server = spawn(this.program, ["serve", "--db", db, "--addr", "127.0.0.1:0", ...flags]);
    const ended = new Promise<void>((resolve) => server.once("exit", () => resolve()));
    const end = async () => {
      server.kill("SIGTERM");
      await ended;
    };
    let log = "";
    const url = await new Promise<string>((resolve, reject) => {
      server.stderr.on("data", (part) => {
        log += String(part);
        const told = /^serving .*on (http:\S+)/m.exec(log)?.[1];
        if (told) resolve(told);
      });
      void ended.then(() => reject(new Error(`the server ended: ${log}`)));
    });
    return { url, end };
  }

  /** Takes the store from disk. */
  async remove(): Promise<void> {
    await rm(this.directory, { recursive: true });
  }
}

/** Answers requests on a free port by a function, until the end is called. */
export async function stub(answer: RequestListener): Promise<{ url: string; end: () => Promise<void> }> {
  const server: Server = createServer(answer);
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  const end = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, end };
}
