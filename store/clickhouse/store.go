package clickhouse

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"fmt"
	"math/rand/v2"
	"regexp"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/ClickHouse/clickhouse-go/v2/lib/driver"

	"github.com/crosswave/crosswave/audience"
	"github.com/crosswave/crosswave/store/survey"
)

// Config says where the respondents are and how they are counted. Only Addresses has to be given.
type Config struct {
	// Addresses are the shards, host:port of ClickHouse's native protocol (port 9000, with TLS 9440): one server each, or
	// several replicas with | between them, of which one has to be there. Replicas share their respondents by ZooKeeper
	// or ClickHouse Keeper, and each has the macros {shard} and {replica} in its settings.
	Addresses []string
	// Cluster is the name of the same shards in the servers' remote_servers. With it a question goes to one of the
	// servers, which asks the others through a Distributed table; without it every server is asked for its part and the
	// parts are added here.
	Cluster  string
	Database string // "" is "default"; it is made if it is not there
	// Table is the name of the table; "" is crosswave_ and the embedded store's ID. Of two embedded stores that use one
	// table the second to import is refused (OwnerError).
	Table              string
	Username, Password string      // "" is the user "default"
	TLS                *tls.Config // nil: no TLS

	// Format is how imports store answers. What is stored already is counted whatever it is.
	Format Format
	// Timeout is the longest that a statement may take: a question, a tile of a large one, a block of an import. It is
	// sent along and kept here, too, so that a server that hangs is an error in time. 0 is 30 seconds. An earlier
	// deadline of the context goes before.
	Timeout time.Duration
	// MemoryBytes is the most memory that a statement may take on each server, in bytes; 0 leaves it to the servers'
	// settings.
	MemoryBytes int64
	// Threads is how many threads a statement may use on each server; 0 leaves it to the servers' settings.
	Threads int
	// Statements is how many statements of one Count are asked at a time; 0 is 2.
	Statements int
	// TileCells is about how many cells one statement counts; larger tables are cut into tiles. 0 is 4,096.
	TileCells int
	// BlockRespondents is how many respondents an import sends to a shard at a time; 0 is 65,536.
	BlockRespondents int
}

func (c Config) withDefaults() (Config, error) {
	c.Statements, c.TileCells = cmp.Or(max(c.Statements, 0), 2), cmp.Or(max(c.TileCells, 0), 4096)
	c.BlockRespondents = cmp.Or(max(c.BlockRespondents, 0), 1<<16)
	c.Timeout = cmp.Or(max(c.Timeout, 0), 30*time.Second)
	c.Database, c.Username = cmp.Or(c.Database, "default"), cmp.Or(c.Username, "default")
	if len(c.Addresses) == 0 {
		return c, errors.New("no ClickHouse server is named: at least one address, host:port, is needed")
	}
	named := map[string]bool{}
	for _, shard := range c.Addresses {
		list := strings.Split(shard, "|")
		if c.Cluster != "" && len(list) > 1 {
			return c, fmt.Errorf("the ClickHouse servers %s are replicas, and a cluster is named: its Distributed table would "+
				"choose among them by itself, also one that lacks respondents yet; leave the cluster out", shard)
		}
		for _, a := range list {
			if named[a] {
				return c, fmt.Errorf("the ClickHouse server %s is named twice: its respondents would be counted twice", a)
			}
			named[a] = true
		}
	}
	if !slices.Contains([]Format{Chosen, Arrays, Words}, c.Format) {
		return c, fmt.Errorf("answers can't be stored as %q: %s and %s are known", c.Format, Arrays, Words)
	}
	for _, n := range []struct{ what, name string }{{"database", c.Database}, {"table", c.Table}, {"cluster", c.Cluster}} {
		if n.name != "" && !identifier.MatchString(n.name) {
			return c, fmt.Errorf("%s %q: letters, digits and _ are allowed in the name, and no digit in front", n.what, n.name)
		}
	}
	return c, nil
}

var identifier = regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`)

// Embedded is the embedded store to which the respondents belong. It keeps everything else, and publishes.
// *sqlite.Store is one; its Begin must give writers that tell the import's Generation.
type Embedded interface {
	audience.Framer
	survey.Store
	// ID is the store's own name.
	ID(ctx context.Context) (string, error)
	// Imports tells, as of one moment, the generations of imports under way, and the published survey.Change.Engine.
	Imports(ctx context.Context) (generations []int64, engine []byte, err error)
	// Remember lets change what is kept beside what is published, nil at first, in a file and its copies.
	Remember(ctx context.Context, change func(memory []byte) ([]byte, error)) error
}

// Store counts respondents that are kept in ClickHouse, and takes them in. It is an audience.Counter to be paired with
// the embedded store, and both an audience.Store and a survey.Store by itself. It is safe for concurrent use.
type Store struct {
	embedded Embedded
	config   Config
	shards   []*shard
	servers  []*shard // each server of theirs as a shard of its own
	table    string   // with its database
	read     string   // the table that questions are asked of
	prefix   string   // of query ids
	queries  atomic.Uint64
	taking   *taken // until Take is done

	mu      sync.Mutex
	current *version // the last one counted
	newest  uint64   // number of the last one known to be published
	held    map[*version]int
	closed  bool
	tidying sync.WaitGroup

	ready readiness
}

// Open readies a Store for the respondents of an embedded store. It connects to nothing but asks the embedded store for
// its name; Health tells whether the servers answer.
func Open(ctx context.Context, embedded Embedded, c Config) (*Store, error) {
	c, err := c.withDefaults()
	if err != nil {
		return nil, err
	}
	if c.Table == "" {
		id, err := embedded.ID(ctx)
		if err != nil {
			return nil, err
		}
		c.Table = "crosswave_" + id
	}
	s := &Store{embedded: embedded, config: c, table: c.Database + "." + c.Table, held: map[*version]int{},
		prefix: fmt.Sprintf("crosswave-%016x", rand.Uint64())}
	s.read = s.table
	if c.Cluster != "" {
		s.read = s.table + "_all"
	}
	for _, a := range c.Addresses {
		if err := s.connect(a); err != nil {
			s.Close()
			return nil, err
		}
	}
	return s, nil
}

// Close ends all connections. The embedded store stays open.
func (s *Store) Close() error {
	s.mu.Lock()
	s.closed = true
	s.mu.Unlock()
	s.tidying.Wait()
	var errs []error
	for _, sh := range s.servers {
		sh.servers[0].breaker.close()
		errs = append(errs, sh.servers[0].conn.Close())
	}
	return errors.Join(errs...)
}

// Table is the name of the servers' table, with its database.
func (s *Store) Table() string { return s.table }

// Frame tells what is published now, as the embedded store does.
func (s *Store) Frame(ctx context.Context) (*audience.Frame, error) { return s.embedded.Frame(ctx) }

// Release returns what is published now, as the embedded store does.
func (s *Store) Release(ctx context.Context) (*survey.Release, error) { return s.embedded.Release(ctx) }

// Shard is the state of one server.
type Shard struct {
	Address string
	Version string // of the server
	Rows    int64  // respondents in the table, those of unfinished imports included
	Bytes   int64  // that they take on disk
	Err     error  // why it could not be asked; an *Error
}

// Health asks every server for its state, in the order of Config.Addresses.
func (s *Store) Health(ctx context.Context) []Shard {
	out := make([]Shard, len(s.servers))
	var wg sync.WaitGroup
	for i, sh := range s.servers {
		wg.Go(func() {
			out[i].Address = sh.address
			sql := fmt.Sprintf(`SELECT version(), toInt64(sum(rows)), toInt64(sum(bytes_on_disk)) FROM system.parts `+
				`WHERE active AND database = '%s' AND table = '%s'`,
				s.config.Database, s.config.Table)
			out[i].Err = s.query(ctx, sh, sql, func(r driver.Rows) error {
				return r.Scan(&out[i].Version, &out[i].Rows, &out[i].Bytes)
			})
		})
	}
	wg.Wait()
	return out
}
