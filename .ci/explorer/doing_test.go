package explorer

import (
	"context"
	"encoding/csv"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/chromedp/cdproto/browser"
	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/chromedp"
)

// typeInto types into a field that is empty.
func (p *page) typeInto(selector, text string) {
	p.Helper()
	p.do(chromedp.SendKeys(selector, text, chromedp.NodeVisible))
}

// search types words into the finder that a selector finds, and waits for what has them.
func (p *page) search(within, words string) {
	p.Helper()
	p.typeInto(within+" input[type=search]", words)
	p.until(fmt.Sprintf(`document.querySelector("%s .found [role=status]")?.textContent.includes("question")`, within))
	p.settled()
}

// selectOption chooses one of a list by its value, as a user does.
func selectOption(selector, value string) chromedp.Action {
	return chromedp.Tasks{
		chromedp.SetValue(selector, value),
		chromedp.Evaluate(`document.querySelector("`+selector+`").dispatchEvent(new Event("change", {bubbles: true}))`, nil),
	}
}

// download does what makes the browser keep a file, and gives where it is. The browser holds the name with an empty
// file before it moves there what it has written, so that a file is whole as soon as it isn't empty.
func (p *page) download(do func()) string {
	p.Helper()
	folder := p.TempDir()
	p.do(chromedp.ActionFunc(func(ctx context.Context) error {
		return browser.SetDownloadBehavior(browser.SetDownloadBehaviorBehaviorAllow).WithDownloadPath(folder).
			WithBrowserContextID(p.own).Do(cdp.WithExecutor(ctx, chromedp.FromContext(ctx).Browser))
	}))
	do()
	for deadline := time.Now().Add(2 * time.Minute); time.Now().Before(deadline); time.Sleep(50 * time.Millisecond) {
		files, err := filepath.Glob(folder + "/*")
		if err != nil {
			p.Fatal(err)
		}
		files = slices.DeleteFunc(files, func(name string) bool { return strings.HasSuffix(name, ".crdownload") })
		if len(files) != 1 {
			continue
		}
		if kept, err := os.Stat(files[0]); err == nil && kept.Size() > 0 {
			return files[0]
		}
	}
	p.Fatal("no file was kept")
	return ""
}

// csvHolds holds the column percentages of a CSV file against the table on screen, and tells how many there are.
func csvHolds(t *testing.T, p *page, file string) (numbers int) {
	t.Helper()
	if want := "Age-by-Exercise.csv"; filepath.Base(file) != want {
		t.Errorf("the file is called %s, and not %s", filepath.Base(file), want)
	}
	text, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer text.Close()
	lines, err := csv.NewReader(text).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	at := func(name string) int { return slices.Index(lines[0], name) }
	byName := map[string]string{}
	for _, c := range p.cells() {
		byName[c.Row+" × "+c.Column] = c.Figures["column"]
	}
	for _, line := range lines[1:] {
		name := line[at("row_name")] + " × " + line[at("column_name")]
		value, err := number(line[at("column_percentage")])
		if err != nil {
			t.Fatal(err)
		}
		if err := same(byName[name], value, 1); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		numbers++
	}
	return numbers
}
