package explorer

import (
	"context"
	"regexp"
	"strings"
	"testing"
	"time"

	cdp "github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
)

// A link that signs in leaves no key behind: not in the address, not in the history, not in storage that outlives the
// tab.
func TestSignInByLink(t *testing.T) {
	s := demo(t).serve(t)
	p := open(t, s, sizes[0])
	p.goTo("/find?question=core.gender")
	p.settled()
	var address, local, markup string
	p.eval("location.href", &address)
	p.eval("JSON.stringify(localStorage) + document.cookie", &local)
	p.eval("document.documentElement.outerHTML", &markup)
	if strings.Contains(address+local+markup, s.key) || address != s.url+"/?1#/find?question=core.gender" {
		t.Errorf("the key is left in %s, %s, or what the page has", address, local)
	}
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		_, history, err := cdp.GetNavigationHistory().Do(ctx)
		for _, entry := range history {
			if strings.Contains(entry.URL, s.key) {
				t.Errorf("the key is left in the history, in %s", entry.URL)
			}
		}
		return err
	}))
	p.do(chromedp.Reload())
	p.settled()
	p.until(`document.querySelector("h1").textContent === "Gender"`) // the tab still has it
}

func TestSignInByHand(t *testing.T) {
	s := ragged(t).serve(t)
	p := open(t, s, sizes[2])
	p.do(chromedp.Navigate(s.url + "/"))
	p.until(`document.querySelector("input[name=key]")`)
	p.shoot("signin-phone")
	p.do(chromedp.SendKeys("input[name=key]", s.key+"\n"))
	p.until(`document.querySelector(".tiles")`)
	p.click(button("Sign out"))
	p.until(`document.querySelector("input[name=key]")`)
	var kept string
	p.eval("JSON.stringify(sessionStorage)", &kept)
	if strings.Contains(kept, s.key) {
		t.Errorf("the key is kept after signing out: %s", kept)
	}
}

// What demo prints first is the link.
func TestDemoPrintsTheLink(t *testing.T) {
	s := start(t, store{}, "demo", "--respondents", "1000", "--addr", "127.0.0.1:0")
	found := regexp.MustCompile(`(?m)^explore it at (http://\S+/#key=(\S+))$`).FindStringSubmatchIndex(s.said)
	if found == nil || found[0] > strings.Index(s.said, "serving on") {
		t.Fatalf("demo says\n%s", s.said)
	}
	p := open(t, s, sizes[0])
	p.do(chromedp.Navigate(s.said[found[2]:found[3]]))
	p.settled()
	p.until(`document.querySelector(".tiles")`)
}

// What may go wrong says what to do.
func TestTroubles(t *testing.T) {
	t.Run("expired key", func(t *testing.T) {
		s := ragged(t)
		s.key = run(t, "key", "create", "--db", s.db, "--expires", "1s")
		p := open(t, s.serve(t), sizes[0])
		p.allowed = []string{"401"}
		time.Sleep(1100 * time.Millisecond) // until the key has expired
		p.goTo("/table?rows=core.gender")
		p.until(`document.querySelector("[role=alert]")?.textContent.includes("expired")`)
		p.until(`document.querySelector("input[name=key]")`)
		p.shoot("trouble-key")
	})
	t.Run("not granted", func(t *testing.T) {
		s := ragged(t)
		s.key = run(t, "key", "create", "--db", s.db, "--questions", "core.gender")
		p := open(t, s.serve(t), sizes[0])
		p.goTo("/table?rows=core.gender,core.brands")
		p.settled()
		p.until(`document.querySelector(".warning")?.textContent.includes("core.brands")`)
	})
}
