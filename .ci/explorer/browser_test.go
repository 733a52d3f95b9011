package explorer

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/cdproto/target"
	"github.com/chromedp/chromedp"
)

// size is of a screen.
type size struct {
	name          string
	width, height int64
	dark          bool
}

var sizes = []size{
	{"wide", 1440, 900, false},
	{"tablet", 834, 1112, true},
	{"phone", 360, 740, false},
}

// chromium is one for all tests; each page has cookies and storage of its own. The one without a window comes first: it
// takes two thirds of the time.
var chromium = sync.OnceValues(func() (context.Context, error) {
	path := ""
	for _, one := range []string{"/usr/bin/chromium-headless-shell", "/usr/bin/chromium", "/usr/bin/chromium-browser",
		"/usr/bin/google-chrome"} {
		if _, err := os.Stat(one); err == nil {
			path = one
			break
		}
	}
	if path == "" {
		return nil, fmt.Errorf("there is no Chromium")
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(path), chromedp.NoSandbox,
		chromedp.DisableGPU, chromedp.WSURLReadTimeout(2*time.Minute), chromedp.Flag("disable-quic", true),
		chromedp.Flag("disable-component-update", true))
	allocator, end := chromedp.NewExecAllocator(context.Background(), options...)
	unheard := func(string, ...any) {} // of events that are newer than what reads them
	ctx, _ := chromedp.NewContext(allocator, chromedp.WithErrorf(unheard))
	endBrowser = func() {
		chromedp.Cancel(ctx)
		end()
	}
	return ctx, chromedp.Run(ctx)
})

var endBrowser = func() {}

func TestMain(m *testing.M) {
	code := m.Run()
	endBrowser()
	os.Exit(code)
}

// page is a tab of the browser.
type page struct {
	*testing.T
	ctx    context.Context
	own    cdp.BrowserContextID
	server *server
	clicks int
	visits int // how many times it was opened

	mu         sync.Mutex
	complaints []string // what the browser said of errors
	allowed    []string // parts of complaints that the test wants
}

// open opens a tab of a size, without going anywhere. What the browser complains of fails the test.
func open(t *testing.T, s *server, is size) *page {
	t.Helper()
	shared, err := chromium()
	if err != nil {
		t.Fatal(err)
	}
	own, tab, err := window(shared)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := chromedp.NewContext(shared, chromedp.WithTargetID(tab))
	ctx, late := context.WithTimeout(ctx, 5*time.Minute)
	p := &page{T: t, ctx: ctx, own: own, server: s}
	t.Cleanup(func() {
		late()
		cancel()
		p.quiet()
	})
	chromedp.ListenTarget(ctx, p.hear)
	scheme := "light"
	if is.dark {
		scheme = "dark"
	}
	p.do(chromedp.EmulateViewport(is.width, is.height),
		emulation.SetEmulatedMedia().WithFeatures([]*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}))
	return p
}

// window opens a window with cookies and storage of its own. Chromium has no tab in such a context without one.
func window(shared context.Context) (cdp.BrowserContextID, target.ID, error) {
	ctx := cdp.WithExecutor(shared, chromedp.FromContext(shared).Browser)
	own, err := target.CreateBrowserContext().WithDisposeOnDetach(true).Do(ctx)
	if err != nil {
		return "", "", err
	}
	tab, err := target.CreateTarget("about:blank").WithBrowserContextID(own).WithNewWindow(true).Do(ctx)
	return own, tab, err
}

// hear notes errors of the page, refused by the policy or thrown.
func (p *page) hear(event any) {
	text := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		text = e.ExceptionDetails.Error()
	case *log.EventEntryAdded:
		if e.Entry.Level == log.LevelError {
			text = e.Entry.Text + " " + e.Entry.URL
		}
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.APITypeError {
			for _, arg := range e.Args {
				text += string(arg.Value) + arg.Description
			}
		}
	}
	if text != "" {
		p.mu.Lock()
		p.complaints = append(p.complaints, text)
		p.mu.Unlock()
	}
}

func (p *page) quiet() {
	p.mu.Lock()
	defer p.mu.Unlock()
next:
	for _, text := range p.complaints {
		for _, part := range p.allowed {
			if strings.Contains(text, part) {
				continue next
			}
		}
		p.Errorf("the browser complains: %s", text)
	}
}

func (p *page) do(actions ...chromedp.Action) {
	p.Helper()
	if err := chromedp.Run(p.ctx, actions...); err != nil {
		p.shoot("failed-" + strings.ReplaceAll(p.Name(), "/", "-"))
		p.Fatal(err)
	}
}

// goTo opens the page anew, signed in, at a view: "/table?rows=core.gender". A number, which the page does not read,
// makes it another address; by way of an empty page the browser would start another process each time.
func (p *page) goTo(view string) {
	p.Helper()
	p.visits++
	p.do(chromedp.Navigate(fmt.Sprintf("%s/?%d#key=%s&%s", p.server.url, p.visits, p.server.key, view)))
}

// eval evaluates an expression in the page.
func (p *page) eval(expression string, out any) {
	p.Helper()
	p.do(chromedp.Evaluate(expression, out))
}

// until waits for something to be true in the page. A page that is on its way there can't be asked, which is no error.
func (p *page) until(expression string) {
	p.Helper()
	var err error
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		yes := false
		if err = chromedp.Run(p.ctx, chromedp.Evaluate("Boolean("+expression+")", &yes)); yes {
			return
		}
	}
	p.shoot("failed-" + strings.ReplaceAll(p.Name(), "/", "-"))
	p.Fatalf("it does not come to %s: %v", expression, err)
}

// settled waits until nothing is being asked. What a click asks is asked at the latest when the next frame is painted.
func (p *page) settled() {
	p.Helper()
	p.painted()
	p.until(`document.querySelector("main") && !document.querySelector(".waiting, [aria-busy=true]")`)
}

// painted waits for the next frame. A page that is not painted, or is on its way to another, is not waited for.
func (p *page) painted() {
	p.Helper()
	chromedp.Run(p.ctx, chromedp.Evaluate(`new Promise((painted) => {
		requestAnimationFrame(() => setTimeout(painted));
		setTimeout(painted, 200);
	})`, nil, func(params *runtime.EvaluateParams) *runtime.EvaluateParams { return params.WithAwaitPromise(true) }))
}

// click clicks on what a selector finds, or an XPath, as the first that is visible.
func (p *page) click(selector string) {
	p.Helper()
	p.clicks++
	p.do(chromedp.Click(selector, chromedp.BySearch, chromedp.NodeVisible))
}

// button is the button with a text.
func button(text string) string {
	return fmt.Sprintf(`//button[normalize-space()=%q]`, text)
}

// press presses keys, one after the other.
func (p *page) press(keys ...string) {
	p.Helper()
	for _, key := range keys {
		p.do(chromedp.KeyEvent(key))
	}
}

// shoot writes a picture of what is on screen into the folder that CROSSWAVE_SCREENSHOTS names.
func (p *page) shoot(name string) {
	p.Helper()
	folder := os.Getenv("CROSSWAVE_SCREENSHOTS")
	if folder == "" {
		return
	}
	var picture []byte
	if err := chromedp.Run(p.ctx, chromedp.CaptureScreenshot(&picture)); err != nil {
		p.Logf("no picture of %s: %v", name, err)
		return
	}
	if err := os.WriteFile(filepath.Join(folder, name+".png"), picture, 0o644); err != nil {
		p.Error(err)
	}
}
