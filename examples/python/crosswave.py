"""Ask a Crosswave server from Python, with the standard library alone.

    import crosswave
    server = crosswave.Server("http://localhost:8080", key)
    women = {"id": "women", "expression": {"question": "gender", "datapoints": ["gender_1"]}}
    for cell in server.crosstab(rows=[women]):
        print(cell["intersect"]["size"])

Bodies and answers are those of the server's OpenAPI document (/openapi.json, /docs), as dicts and lists. Whole numbers
are int and figures float, so nothing is lost. As a program it prints a crosstab of two questions:

    python3 crosswave.py URL KEY QUESTION QUESTION
"""

import json
import sys
import time
import urllib.error
import urllib.parse
import urllib.request


class Error(Exception):
    """What a server refused. type is the word that the document lists (invalid_query, forbidden …), reason is for
    developers and names the place, body is all that the server said."""

    def __init__(self, status, body, headers):
        self.status, self.body = status, body
        self.type = body.get("error_type") or body.get("type") or ""
        self.reason = body.get("error") or body.get("err") or body.get("message") or ""
        self.forbidden = body.get("meta", {}).get("forbidden_codes")
        self.request_id = headers.get("X-Request-Id")
        wait = headers.get("Retry-After") or ""
        self.retry_after = int(wait) if wait.isdigit() else None
        super().__init__(f"{status} {self.type}: {self.reason}")


class BrokenOff(Exception):
    """A crosstab ended before all of its cells had come."""


class Server:
    """One server, asked with one key. Where it asks to wait (429, 503), it is asked again after as long as it says,
    four times at the most, but for changes, which are sent again after a 429 alone."""

    def __init__(self, url, key, attempts=4, longest_wait=60, timeout=120, data_version=None):
        self.url, self.key = url.rstrip("/"), key
        self.attempts, self.longest_wait, self.timeout = attempts, longest_wait, timeout
        self.data_version = data_version  # the only version of the survey to be answered from
        self.seen_version = None  # that of the last answer

    def crosstab(self, **body):
        """Yield the cells of a crosstab, row by row, as the server forms them: rows, columns, base_audience, waves,
        locations, coverage, matched, statistics, echo."""
        with self._send("POST", "/v2/query/crosstab", body) as answer:
            left = int(answer.headers["X-Cell-Count"])
            for line in answer:
                if not line.endswith(b"\n"):
                    break
                yield json.loads(line)
                left -= 1
            if left:
                raise BrokenOff(f"{left} cells are missing")

    def intersection(self, **body):
        return self.ask("POST", "/v2/query/intersection", body)

    def stats(self, **body):
        return self.ask("POST", "/v2/query/stats", body)

    def summary(self, **body):
        return self.ask("POST", "/v2/query/summary", body)

    def profile(self, **body):
        return self.ask("POST", "/v2/query/profile", body)

    def association(self, **body):
        return self.ask("POST", "/v2/query/association", body)

    def trend(self, expression, **parameters):
        """An audience by wave; parameters are coverage, matched and statistics."""
        parameters = {k: json.dumps(v) for k, v in parameters.items()}
        query = "?" + urllib.parse.urlencode(parameters) if parameters else ""
        return self.ask("POST", "/v2/query/audience_wave_counts" + query, expression)

    def wave_counts(self, **body):
        return self.ask("POST", "/v3/query/audience_wave_counts", body)

    def questions(self, *codes, **include):
        """Questions of the catalogue, all without codes; include is categories, datapoints, taxonomy_paths."""
        body = {"include": include, "questions": [{"question": c} for c in codes]}
        return self.ask("POST", "/v3/questions/filter", body)["questions"]

    def find(self, search, **body):
        """A page of the questions that have all words, the best first; body is limit, offset, include, questions."""
        return self.ask("POST", "/v3/questions/filter", {"search": search, **body})

    def locations(self, **body):
        return self.ask("POST", "/v2/locations/filter", body)["locations"]

    def waves(self, **body):
        return self.ask("POST", "/v2/waves/filter", body)["waves"]

    def namespaces(self, **body):
        return self.ask("POST", "/v2/namespaces/filter", body)["namespaces"]

    def me(self):
        return self.ask("GET", "/v1/me")

    def ask(self, method, path, body=None):
        """Ask any endpoint; the answer is as the document describes it, None where it is empty."""
        with self._send(method, path, body) as answer:
            text = answer.read()
            return json.loads(text) if text else None

    def _send(self, method, path, body):
        changes = method != "GET" and path.startswith(("/v2/saved/", "/v2/questions/derived"))
        for attempt in range(1, self.attempts + 1):
            try:
                return self._once(method, path, body)
            except Error as e:
                again = e.status == 429 or e.status == 503 and not changes
                wait = e.retry_after if e.retry_after is not None else 2 ** (attempt - 1)
                if not again or attempt == self.attempts or wait > self.longest_wait:
                    raise
                time.sleep(wait)

    def _once(self, method, path, body):
        headers = {"Authorization": self.key, "Content-Type": "application/json"}
        if self.data_version is not None:
            headers["If-Data-Version"] = str(self.data_version)
        data = None if body is None else json.dumps(body).encode()
        request = urllib.request.Request(self.url + path, data, headers, method=method)
        try:
            answer = urllib.request.urlopen(request, timeout=self.timeout)
        except urllib.error.HTTPError as refused:
            with refused:
                text = refused.read()
            try:
                told = json.loads(text)
            except ValueError:
                told = {"err": text.decode(errors="replace").strip()}
            raise Error(refused.code, told, refused.headers) from None
        self.seen_version = answer.headers.get("Data-Version")
        return answer


def audiences(server, code):
    """An audience for each answer of a question that the key may use."""
    question, = server.questions(code, datapoints=True)
    return [
        {"id": d["code"], "name": d["name"], "expression": {"question": code, "datapoints": [d["code"]]}}
        for d in question["datapoints"] if d["accessible"]
    ]


def main(url, key, rows, columns):
    server = Server(url, key)
    across = audiences(server, columns)
    line = []
    print(" " * 24 + "".join(f"{a['name'][:13]:>14}" for a in across))
    for cell in server.crosstab(rows=audiences(server, rows), columns=across):
        line.append(f"{cell['audiences']['row']['intersect_percentage']:13.1f}%")
        if len(line) == len(across):
            print(f"{cell['row']['name'][:23]:24}" + "".join(line))
            line = []


if __name__ == "__main__":
    if len(sys.argv) != 5:
        sys.exit(__doc__)
    try:
        main(*sys.argv[1:])
    except Error as refused:
        sys.exit(str(refused))
