// Package metrics counts what a service does, for Prometheus: requests by route and status, how long they took, how
// many are under way, what was counted for them, and of the store and the process what Config names.
//
//	m, err := metrics.New(metrics.Config{Store: db})
//	api, err := httpapi.New(httpapi.Config{Store: db, Observers: []httpapi.Observer{m.Observe}, …})
//	http.Handle("/metrics", m.Handler()) // on an address of its own: see Handler
//
// It stands apart from package httpapi because of what it links. Its metrics are
//
//	crosswave_requests_total{route,method,status,error_type}   requests that have ended
//	crosswave_request_duration_seconds{route}                  a histogram of how long they took
//	crosswave_response_bytes_total{route}                      bytes of bodies, before they are compressed
//	crosswave_cells_total{route}                               rows × columns that were counted
//	crosswave_requests_running                                 requests under way
//	crosswave_queries_running{lane}                            that are being counted, by lane: short, long
//	crosswave_queries_waiting{lane}                            that wait for their turn to be
//	crosswave_requests_held_bytes                              that requests hold, of httpapi.Limits.Memory
//	crosswave_store_version                                    of the survey that is answered from
//	crosswave_store_bytes{file}                                of the store's file and of the log beside it
//	crosswave_result_cache_bytes, …_answers                    that are remembered
//	crosswave_result_cache_questions_total{from}               from memory, or from the store
//	crosswave_build_info{version,commit,kernel,go}             1
//
// beside those of the Go runtime (go_…) and of the process (process_…). No label has a value that a client chooses, so
// that there are as many series as routes and statuses, whatever is asked. There are none by user either: who asks how
// much is for a log to tell.
package metrics

import (
	"context"
	"log/slog"
	"net/http"
	"os"
	"strconv"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/collectors"
	"github.com/prometheus/client_golang/prometheus/promhttp"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/httpapi"
)

// Config says what is told beside the requests. Everything may be left out.
type Config struct {
	Store   audience.Framer  // whose version is told
	Path    string           // of an embedded store's file; the log beside it is PATH-wal
	Results *audience.Memory // whose use is told
	Load    *httpapi.Load    // of the handler: what queries run and wait
	Build   Build            // what runs; nothing is told of it if it is the zero Build
	Log     *slog.Logger     // where it is told what can't be told; nil: slog.Default
}

// Build is what runs.
type Build struct{ Version, Commit, Kernel, Go string }

// Metrics counts requests. It may be used by many goroutines at once.
type Metrics struct {
	registry *prometheus.Registry
	log      *slog.Logger

	requests     *prometheus.CounterVec
	took         *prometheus.HistogramVec
	bytes, cells *prometheus.CounterVec
	running      prometheus.Gauge
}

// durations are the buckets of how long requests take, in seconds: from a record in memory to the longest that a
// request may take unless it is configured otherwise.
func durations() []float64 {
	return []float64{.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 2.5, 5, 10, 30}
}

// readTime is how long it may take to tell of the store.
const readTime = 2 * time.Second

// New makes metrics that have counted nothing. The error is one of the registry.
func New(c Config) (*Metrics, error) {
	counter := func(name, help string, labels ...string) *prometheus.CounterVec {
		return prometheus.NewCounterVec(prometheus.CounterOpts{Namespace: "crosswave", Name: name, Help: help}, labels)
	}
	m := &Metrics{registry: prometheus.NewRegistry(), log: c.Log,
		requests: counter("requests_total", "Requests that have ended.", "route", "method", "status", "error_type"),
		took: prometheus.NewHistogramVec(prometheus.HistogramOpts{Namespace: "crosswave",
			Name: "request_duration_seconds", Help: "How long requests took.", Buckets: durations()}, []string{"route"}),
		bytes: counter("response_bytes_total", "Bytes of the bodies of answers, before they are compressed.", "route"),
		cells: counter("cells_total", "Rows × columns that were counted, or remembered.", "route"),
		running: prometheus.NewGauge(prometheus.GaugeOpts{Namespace: "crosswave", Name: "requests_running",
			Help: "Requests under way."}),
	}
	if m.log == nil {
		m.log = slog.Default()
	}
	all := []prometheus.Collector{collectors.NewGoCollector(), collectors.NewProcessCollector(
		collectors.ProcessCollectorOpts{}), m.requests, m.took, m.bytes, m.cells, m.running}
	if c.Store != nil {
		all = append(all, version(c.Store))
	}
	if c.Path != "" {
		all = append(all, file("store", c.Path), file("log", c.Path+"-wal"))
	}
	if c.Results != nil {
		all = append(all, results(c.Results)...)
	}
	if c.Load != nil {
		all = append(all, load(c.Load)...)
	}
	if c.Build != (Build{}) {
		all = append(all, c.Build.info())
	}
	for _, collector := range all {
		if err := m.registry.Register(collector); err != nil {
			return nil, err
		}
	}
	return m, nil
}

// Observe counts a request. It is an httpapi.Observer.
func (m *Metrics) Observe(ctx context.Context, a httpapi.Arrival) (context.Context, func(httpapi.Outcome)) {
	m.running.Inc()
	return ctx, func(o httpapi.Outcome) {
		m.running.Dec()
		m.requests.WithLabelValues(a.Route, a.Method, strconv.Itoa(o.Status), o.ErrorType).Inc()
		m.took.WithLabelValues(a.Route).Observe(o.Took.Seconds())
		m.bytes.WithLabelValues(a.Route).Add(float64(o.Bytes))
		m.cells.WithLabelValues(a.Route).Add(float64(o.Cells))
	}
}

// Handler answers with the metrics, in the formats that Prometheus reads. It asks for no key, as a scraper has none;
// what it tells is no figure of the survey, but how much the service is used and of what version it is. So it belongs
// on an address that only those reach who run the service.
func (m *Metrics) Handler() http.Handler {
	return promhttp.HandlerFor(m.registry, promhttp.HandlerOpts{
		ErrorLog:      slog.NewLogLogger(m.log.Handler(), slog.LevelError),
		ErrorHandling: promhttp.ContinueOnError,
	})
}

// version tells the store's version as it is when it is asked for.
func version(store audience.Framer) prometheus.Collector {
	return gauge("store_version", "The version of the survey that is answered from.", nil, func() (float64, error) {
		ctx, cancel := context.WithTimeout(context.Background(), readTime)
		defer cancel()
		f, err := store.Frame(ctx)
		if err != nil {
			return 0, err
		}
		return float64(f.Version), nil
	})
}

// file tells the size of a file; of one that is not there 0, as the log is away while nobody writes.
func file(name, path string) prometheus.Collector {
	return gauge("store_bytes", "The size of the store's file, and of the log beside it.", prometheus.Labels{"file": name},
		func() (float64, error) {
			info, err := os.Stat(path)
			if os.IsNotExist(err) {
				return 0, nil
			}
			if err != nil {
				return 0, err
			}
			return float64(info.Size()), nil
		})
}

// results tells of what is remembered.
func results(memory *audience.Memory) []prometheus.Collector {
	questions := func(from string, number func(audience.MemoryUse) int64) prometheus.Collector {
		return prometheus.NewCounterFunc(prometheus.CounterOpts{Namespace: "crosswave",
			Name: "result_cache_questions_total", Help: "Questions answered from memory, or asked of the store.",
			ConstLabels: prometheus.Labels{"from": from}}, func() float64 { return float64(number(memory.Use())) })
	}
	return []prometheus.Collector{
		gauge("result_cache_bytes", "Bytes of the answers that are remembered.", nil,
			func() (float64, error) { return float64(memory.Use().Bytes), nil }),
		gauge("result_cache_answers", "Answers that are remembered.", nil,
			func() (float64, error) { return float64(memory.Use().Answers), nil }),
		questions("memory", func(u audience.MemoryUse) int64 { return u.Remembered }),
		questions("store", func(u audience.MemoryUse) int64 { return u.Asked }),
	}
}

// load tells what queries run and wait.
func load(l *httpapi.Load) []prometheus.Collector {
	lane := func(name string, of func(httpapi.LoadNow) httpapi.LaneLoad) []prometheus.Collector {
		labels := prometheus.Labels{"lane": name}
		return []prometheus.Collector{
			gauge("queries_running", "Queries that are being counted.", labels,
				func() (float64, error) { return float64(of(l.Now()).Running), nil }),
			gauge("queries_waiting", "Queries that wait for their turn to be counted.", labels,
				func() (float64, error) { return float64(of(l.Now()).Waiting), nil }),
		}
	}
	all := append(lane("short", func(n httpapi.LoadNow) httpapi.LaneLoad { return n.Short }),
		lane("long", func(n httpapi.LoadNow) httpapi.LaneLoad { return n.Long })...)
	return append(all, gauge("requests_held_bytes", "Bytes that requests hold, by estimate.", nil,
		func() (float64, error) { return float64(l.Now().Bytes), nil }))
}

func (b Build) info() prometheus.Collector {
	return gauge("build_info", "What runs.", prometheus.Labels{"version": b.Version, "commit": b.Commit,
		"kernel": b.Kernel, "go": b.Go}, func() (float64, error) { return 1, nil })
}

// reading is a number that is read when it is asked for.
type reading struct {
	what *prometheus.Desc
	read func() (float64, error)
}

func gauge(name, help string, labels prometheus.Labels, read func() (float64, error)) prometheus.Collector {
	return reading{prometheus.NewDesc("crosswave_"+name, help, nil, labels), read}
}

// Describe is part of a prometheus.Collector.
func (r reading) Describe(to chan<- *prometheus.Desc) { to <- r.what }

// Collect is part of a prometheus.Collector. What can't be read leaves the number out, and is told to the log.
func (r reading) Collect(to chan<- prometheus.Metric) {
	number, err := r.read()
	if err != nil {
		to <- prometheus.NewInvalidMetric(r.what, err)
		return
	}
	to <- prometheus.MustNewConstMetric(r.what, prometheus.GaugeValue, number)
}
