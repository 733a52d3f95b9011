package main

import "github.com/alecthomas/kong"

// help has the help of flags and arguments that is too long for the line where they stand.
func help() kong.Vars {
	return kong.Vars{
		"accesslog": "Write a line to the log for each request: its id, route, status, bytes, seconds, user and cells.",
		"address":   "Where to listen. Refused beyond loopback while the store has no key.",
		"adopt": "Make a store the owner of its table in ClickHouse, in place of another copy of it or another " +
			"store: after an older copy of its file was put back, or to go on with one of two copies. No " +
			"respondents are changed; the other is refused by its next import.",
		"applycodebook": "Give a store's records the names, texts, order and categories of a codebook, and hide its " +
			"questions or show them again. What would change a figure is refused, with its place.",
		"associated": "The one question, with one answer each: a single choice, a number, or one datapoint of a grid " +
			"(QUESTION:DATAPOINT). A code, or a label where it is unambiguous.",
		"base": "The base, as one audience (gender:f); answered is those who answered the question of --rows. Everyone " +
			"unless given.",
		"backupsum": "The SHA-256 that the backup must have, as backup printed it.",
		"backupout": "Where to. The file is written beside it, checked, and put there when it is whole.",
		"bookplan": "The plan, or - for standard input: {\"columns\": [\"gender\"], \"tables\": [{\"name\": \"Drinks\", " +
			"\"rows\": [\"bought\"]}]}. Rows, columns and bases as in crosstab; README.md has all of it.",
		"by": "What to split by, a line each: waves, locations or QUESTION[:DATAPOINT,...].",
		"cache": "MiB of respondents' answers that are kept in memory between questions; what runs may hold more " +
			"meanwhile.",
		"caution": "Below how many respondents a percentage is read with caution; 100 unless given.",
		"cells":   "How many cells to count once more, respondent by respondent; 0: none.",
		"clickhouse": "Respondents are kept in ClickHouse: " +
			"clickhouse://user@host1:9000,host2:9000/database, or host1a|host1b for replicas. The password is in " +
			"CROSSWAVE_CLICKHOUSE_PASSWORD, or in a file (?password_file=); RUNNING.md has all parameters.",
		"shardscheck": "Compare the respondents that are published with what each server of ClickHouse has, and have " +
			"the servers read them; name what is wrong. Exit code 1 if anything is.",
		"codebook": "The codebook: how the columns become a survey. Without one, that in the file or beside it is used, or " +
			"one is guessed and the report tells how.",
		"compare": "What is compared: columns (each with each other; letters), rest (each with the rest of the base; ▲▼), " +
			"previous (each with the one before, for waves; ▲▼); none. Several with commas. columns unless given.",
		"convert": "Store the respondents' answers in another format; no figure changes. Before and while it runs " +
			"questions are answered.",
		"convertto":  "The format: words (64 attributes a number; half the room, and faster) or arrays.",
		"correction": "How p-values are corrected for the number of tests: none, bonferroni, holm, fdr.",
		"derivedanswers": "The answers, as CODE=AUDIENCE or CODE:NAME=AUDIENCE each, an audience being " +
			"QUESTION:DATAPOINT,... (young=age:16-24,25-34), a NAME of its own aside, a band of a question's numbers, " +
			"QUESTION:FROM..TO without TO itself (young=age:16..25, old=age:65..), or an expression as JSON. Without any " +
			"those there are stay.",
		"dates": "What comes first in the dates of waves where both are numbers, day-first or month-first; what a day " +
			"above 12 decides, unless given.",
		"derivedquota": "How many derived questions a user may define; 0: no limit.",
		"delimiter":    "What divides the fields of a CSV file, one character; tab for a tab. Found out unless given.",
		"encoding":     "The encoding of the file's texts, such as windows-1250. Found out unless given.",
		"expires":      "How long the key is good, for example 30d or 12h; for ever unless given.",
		"explorer":     "Serve the explorer, a page to find and cross questions on, at /; --no-explorer does not.",
		"findwords": "What to find: words of a question's name, code, categories, answers or text, each whole or how it " +
			"begins, whatever case and accents; or the code of a question, which then comes first.",
		"color":  "Whether indices are shaded: always, never, or auto, which is on a terminal unless NO_COLOR is set.",
		"format": "table, markdown, html (a page), csv, ndjson (the server's stream) or json (an array of the same).",
		"grid": "Columns that are the rows of one grid: CODE=COLUMN,COLUMN or a pattern such as q5_*. " +
			"May be given again.",
		"header": "Whether the first row of a CSV file or a sheet has the names of the columns: yes, or no if it is a " +
			"respondent's. Found out unless given.",
		"member": "The file of a zip archive that is meant, where it holds several survey files.",
		"multi": "Columns that are the options of one multiple choice: CODE=COLUMN,COLUMN or a pattern such as q4_*. " +
			"May be given again.",
		"tableformat": "table, markdown, html (a page), csv, or json (as the server answers).",
		"keep": "How long the secret that is replaced stays good beside the new one, for example 24h or 7d. Unless given " +
			"it ends at once, and so does any that was replaced before.",
		"kernel": "What counts: avx512, sky (AVX-512 without its later parts), avx2, on ARM i8mm or neon, or go. The " +
			"fastest that the processor runs unless given; figures are the same.",
		"level":    "The level of confidence of intervals and tests, above 50 and below 100; 95 unless given.",
		"levellow": "A lower level, at which letters are small; there are none unless given.",
		"lowbase": "The rule by which percentages of few respondents are marked: sample (by --withhold and --caution) " +
			"or nchs (Data Presentation Standards for Proportions of the US National Center for Health Statistics).",
		"page": "Write how each column of a survey file is read, with its reason and what stands in it, as one page for " +
			"browsers that needs nothing else: to be sent to whoever made the file.",
		"profileaudience": "Who is to be told apart, as one audience: QUESTION:DATAPOINT,...[/SUFFIX,...] (gender:f), or " +
			"an expression as JSON.",
		"profilebase": "The base, as one audience, with the rest of which the audience is compared. Everyone unless " +
			"given.",
		"profiledirection": "over: only what the audience has more than its base; under: only what it has less; both.",
		"profilelimit":     "How many attributes to tell, of each category with --by; 0: all.",
		"profileby":        "category: rank the attributes of each category of the catalogue by themselves.",
		"profilefalse": "How many percent of the attributes that stand may be expected to do so by chance; 5 unless " +
			"given.",
		"profileorder": "What to rank by: certain (the end of the index's interval that is nearer to 100), index, or " +
			"difference (points between the audience and the rest).",
		"profilesample": "How many respondents the audience, and the rest of the base, must have for an attribute to be " +
			"tested; 30 unless given.",
		"log": "How the log is written, to standard error: text or json, a line each.",
		"metrics": "Serve metrics for Prometheus at /metrics of an address of its own, without a key: one that only those " +
			"reach who run the server.",
		"pace": "KiB a second that a client has to send of a request and to take of an answer, on average, or it is cut " +
			"off; 0 is as slow as it likes. Of answers that are compressed it is what they were before.",
		"running": "How many long queries run at a time, as against short ones, which do not wait for them: one less than " +
			"there are processors unless given.",
		"runningeach": "How many of those may be of one user; all of them unless given.",
		"stall":       "For how long a client that is fast enough may still stop in between; 0 is for ever.",
		"pprof": "Serve profiles for go tool pprof at /debug/pprof/ of an address of its own, without a key: one that only " +
			"those reach who run the server. It may be that of the metrics.",
		"memory": "MiB that requests may hold at once, by estimate: tables, and what answers are formed of. One user may " +
			"hold half of it. 0 is no limit.",
		"origin": "Let web pages of this origin ask, as browsers write it: https://example.com. * is all. Several with " +
			"commas, or the flag again.",
		"query": "Answer a request as the server would, with full access and without a server or a key.",
		"rate":  "Requests a second that each user may send; as many as they like unless given.",
		"readonly": "Never write to the store, which may then lie where nothing can be written. " +
			"A store that can't be written to is opened so by itself.",
		"resultcache":  "Memory for results that are asked for again; 0 turns it off.",
		"respondentid": "The id, as it stands in the survey file.",
		"rows": "Whom to count: [NAME=]QUESTION[:DATAPOINT,...][/SUFFIX,...], an audience for each datapoint (of a " +
			"grid, for " +
			"each datapoint and suffix) or, with a NAME, one of those with any; waves, locations; codes, or labels where they " +
			"are unambiguous, in double quotes where they hold one of , : / =; or an expression as JSON. Repeat for more.",
		"served": "A survey file (SPSS, Stata, Triple-S, CSV, Excel, Parquet; packed or not) to import into the store on " +
			"first use; or the store. " +
			"A store that holds a survey already is served as it is, and it says whether the file is what was imported.",
		"servedb": "The store. With a survey file, FILE.db beside it unless given.",
		"sheet":   "The sheet of a workbook that is read; the first unless given.",
		"stats": "Tell how sure figures are: effective samples, intervals, marks of small bases, and what differs " +
			"significantly.",
		"strict": "Refuse what is else told in the report: answers, those that the codebook does not list (so does " +
			"--strict " +
			"alone); warnings, what will mislead; all, both.",
		"summarycompare": "Which means are compared: segments or audiences (each with each other; letters), rest (each " +
			"with the rest of the base; ▲▼), previous (each with the segment before; ▲▼); none. Several with commas. Unless " +
			"given: previous by waves, else segments or audiences.",
		"summaryquestion": "The question: one of numbers, one whose answers have midpoints, or of a grid one datapoint " +
			"(QUESTION:DATAPOINT).",
		"waveby": "The column of waves holds dates, which are put together by week (of ISO 8601), month, quarter or year. " +
			"Without --wave, it is the column with the dates of the interviews.",
		"summarywho": "Whose numbers, a line each: [NAME=]QUESTION[:DATAPOINT,...], as in crosstab. Everyone's unless " +
			"given. Repeat for more.",
		"surveyfile": "The survey file: SPSS (.sav, .zsav), Stata (.dta), Triple-S (.sss or .xml, with the data beside it " +
			"as .asc, .dat, .csv or .txt), CSV, Excel (.xlsx, .xls) or Parquet. Each may be packed with gzip, or as the one " +
			"survey file of a zip.",
		"threads": "How many threads a question, or an import, uses; as many as there are processors unless given. What " +
			"ClickHouse uses is for its own settings to say.",
		"withhold":      "Below how many respondents a percentage is better withheld; 30 unless given.",
		"writecodebook": "Write the codebook by which the file would be read, to be edited and given to import.",
		"wait":          "How long a query may wait for its turn before it is answered with 503, overloaded.",
		"waiting":       "How many queries of one user may wait for their turn.",
	}
}
