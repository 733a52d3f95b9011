package formats

import (
	"archive/zip"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/crosswave/crosswave/store/formats/sss"
	"github.com/crosswave/crosswave/store/formats/xlsx"
)

// ChoiceError is a file with several things that could be meant, or without the one that was named.
type ChoiceError struct {
	Path   string
	Choice Choice
	Wanted string   // what was named; "": nothing, and there are several
	Names  []string // what there is to choose from
}

// Choice is what is to be chosen: a field of Options.
type Choice string

// The choices.
const (
	ChooseMember Choice = "member" // Options.Member
	ChooseSheet  Choice = "sheet"  // Options.Sheet
)

func (e *ChoiceError) Error() string {
	list := make([]string, len(e.Names))
	for i, name := range e.Names {
		list[i] = fmt.Sprintf("%q", name)
	}
	const most = 8
	if more := len(list) - most; more > 0 {
		list = append(list[:most], fmt.Sprintf("%d more", more))
	}
	switch {
	case len(list) == 0:
		return fmt.Sprintf("%s: there is no %s %q in it, nor any other", e.Path, e.Choice, e.Wanted)
	case e.Wanted != "":
		return fmt.Sprintf("%s: there is no %s %q in it; there are %s", e.Path, e.Choice, e.Wanted, strings.Join(list, ", "))
	}
	return fmt.Sprintf("%s: it holds several survey files: name the %s that is meant, one of %s", e.Path, e.Choice,
		strings.Join(list, ", "))
}

// What a packed file may unpack to: more than a survey ever does, and less than a file made to fill the disk.
const (
	leastUnpacked = 256 << 20
	mostRatio     = 200
)

// unpacked copies what a packed file of so many bytes comes to into a file that goes when f is closed.
func (f *File) unpacked(name string, from io.Reader, size int64, o Options) (*os.File, error) {
	dir, err := f.folder(o)
	if err != nil {
		return nil, err
	}
	out, err := os.Create(filepath.Join(dir, name))
	if err != nil {
		return nil, err
	}
	f.close = append(f.close, out.Close)
	most := max(leastUnpacked, mostRatio*size)
	n, err := io.Copy(out, io.LimitReader(from, most+1))
	if err == nil && n > most {
		err = fmt.Errorf("it unpacks to more than %d MB, which is too much for a file of its size", most>>20)
	}
	if err != nil {
		return nil, &Error{Path: f.Path, Err: fmt.Errorf("unpacking it: %w", err)}
	}
	_, err = out.Seek(0, io.SeekStart)
	return out, err
}

// folder is where files are unpacked to, which goes when f is closed.
func (f *File) folder(o Options) (string, error) {
	if f.unpack == "" {
		dir, err := os.MkdirTemp(o.TempDir, "crosswave-*")
		if err != nil {
			return "", err
		}
		f.unpack = dir
		f.close = append(f.close, func() error { return os.RemoveAll(dir) })
	}
	return f.unpack, nil
}

// openGzip opens a survey file that is packed by itself, such as survey.sav.gz.
func (f *File) openGzip(file io.ReaderAt, size int64, o Options) error {
	z, err := gzip.NewReader(o.watched(io.NewSectionReader(file, 0, size), size))
	if err != nil {
		return &Error{Path: f.Path, Err: fmt.Errorf("unpacking it: %w", err)}
	}
	f.beneath = unpackedPath(f.Path)
	inner, err := f.unpacked(filepath.Base(f.beneath), z, size, o)
	if err != nil {
		return err
	}
	return f.openInner(inner, size, o)
}

// unpackedPath is the path of a file that is packed by itself as it would be called if it were not: without .gz.
func unpackedPath(path string) string {
	name := filepath.Base(path)
	if base := strings.TrimSuffix(name, filepath.Ext(name)); base != "" && strings.EqualFold(filepath.Ext(name), ".gz") {
		return filepath.Join(filepath.Dir(path), base)
	}
	return path
}

// openInner opens what was unpacked of a file of so many bytes. Memory is bounded by these.
func (f *File) openInner(inner *os.File, size int64, o Options) error {
	info, err := inner.Stat()
	if err != nil {
		return err
	}
	head := make([]byte, min(info.Size(), 4096))
	if _, err := inner.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if f.packed = true; isGzip(head) || isZip(head) && !isWorkbook(inner, info.Size()) {
		return &Error{Path: f.Path, Reason: "what is packed in it is packed once more: unpack it first"}
	}
	if isXML(head) && !definitionFits(info.Size(), size) {
		return &Error{Path: f.Path, Err: errDictionary}
	}
	limit := &metered{ReaderAt: inner, left: max(leastDictionary, mostDictionary*size)}
	err = f.openAs(limit, inner, info.Size(), head, o)
	limit.open()
	return err
}

func isGzip(head []byte) bool { return len(head) > 1 && head[0] == 0x1f && head[1] == 0x8b }

func isZip(head []byte) bool {
	return strings.HasPrefix(string(head), "PK\x03\x04") || strings.HasPrefix(string(head), "PK\x05\x06")
}

func isWorkbook(file io.ReaderAt, size int64) bool {
	z, err := zip.NewReader(file, size)
	return err == nil && xlsx.IsWorkbook(z)
}

// openZip opens an archive: a workbook, or one that holds a survey file.
func (f *File) openZip(file io.ReaderAt, size int64, o Options) error {
	z, err := zip.NewReader(file, size)
	if err != nil {
		return &Error{Path: f.Path, Err: fmt.Errorf("it is a damaged zip archive or Excel workbook: %w", err)}
	}
	if xlsx.IsWorkbook(z) {
		return f.openXLSX(z, o)
	}
	if len(z.File) > 0 && z.File[0].Name == "mimetype" {
		return &Error{Path: f.Path, Reason: "it is an OpenDocument or similar file: save the sheet as .xlsx or CSV (UTF-8)"}
	}
	candidates, err := f.candidates(z, o)
	if err != nil {
		return err
	}
	member := candidates[0]
	f.Member = member.Name
	inner, err := f.extract(member, size, o)
	if err != nil {
		return err
	}
	if err := f.extractBeside(z, member, inner, size, o); err != nil {
		return err
	}
	return f.openInner(inner, size, o)
}

// extract unpacks a member of an archive of so many bytes.
func (f *File) extract(member *zip.File, size int64, o Options) (*os.File, error) {
	if member.Flags&1 != 0 {
		return nil, &Error{Path: f.Path, Reason: fmt.Sprintf("%q in it is encrypted: unpack it with its password first",
			member.Name)}
	}
	r, err := member.Open()
	if err != nil {
		return nil, &Error{Path: f.Path, Err: fmt.Errorf("unpacking %q: %w", member.Name, err)}
	}
	defer r.Close()
	return f.unpacked(memberBase(member.Name), o.watched(r, int64(member.UncompressedSize64)), size, o)
}

// memberBase is the name of a member without its folders, whichever way they are written.
func memberBase(name string) string {
	return path.Base("/" + strings.ReplaceAll(name, `\`, "/"))
}

// extractBeside unpacks what lies beside a member and belongs to it: the data of a Triple-S definition, and a codebook.
func (f *File) extractBeside(z *zip.Reader, member *zip.File, inner *os.File, size int64, o Options) error {
	beside := []string{Beside(inner.Name())}
	data, err := f.dataFiles(inner, size)
	if err != nil {
		return err
	}
	beside = append(beside, data...)
	for _, name := range data {
		beside = append(beside, name+".gz")
	}
	folder := strings.TrimSuffix(member.Name, memberBase(member.Name))
	for i, name := range beside {
		at := slices.IndexFunc(z.File, func(m *zip.File) bool {
			return strings.EqualFold(m.Name, folder+filepath.Base(name)) && m != member
		})
		if at < 0 {
			continue
		}
		out, err := f.extract(z.File[at], size, o)
		if err != nil {
			return err
		}
		if err := os.Rename(out.Name(), name); err != nil {
			return err
		}
		if i > 0 {
			break
		}
		f.inside = name
	}
	return nil
}

// dataFiles are the paths where the data of a Triple-S definition, unpacked of an archive of so many bytes, may be;
// none of anything else.
func (f *File) dataFiles(inner *os.File, size int64) ([]string, error) {
	info, err := inner.Stat()
	if err != nil {
		return nil, err
	}
	head := make([]byte, min(info.Size(), 4096))
	if _, err := inner.ReadAt(head, 0); err != nil && !errors.Is(err, io.EOF) || !isXML(head) {
		return nil, err
	}
	if !definitionFits(info.Size(), size) {
		return nil, &Error{Path: f.Path, Err: errDictionary}
	}
	def, err := sss.ParseDefinition(io.NewSectionReader(inner, 0, info.Size()))
	if err != nil {
		return nil, &Error{Path: f.Path, Err: err}
	}
	return def.DataFiles(inner.Name()), nil
}

// errDictionary is what is wrong with a file whose description takes more memory than it has.
var errDictionary = errors.New("what it says about its columns unpacks to too much for a file of its size")

// surely are the extensions of survey files, and perhaps those of files that may be one.
var (
	surely = []string{".sav", ".zsav", ".sss", ".csv", ".tsv", ".tab", ".xlsx", ".xlsm", ".xls", ".parquet",
		".dta"}
	perhaps = []string{".txt", ".dat", ".asc", ".por"}
)

// candidates are the members of an archive that may be meant: one, or an error that names them.
func (f *File) candidates(z *zip.Reader, o Options) ([]*zip.File, error) {
	var sure, others []*zip.File
	var names []string
	data := map[string]bool{} // that belong to a definition, as folder and name without extension
	stem := func(name string) string { return strings.ToLower(strings.TrimSuffix(name, path.Ext(name))) }
	for _, m := range z.File {
		base := memberBase(m.Name)
		if strings.HasSuffix(m.Name, "/") || strings.HasPrefix(base, ".") || strings.Contains(m.Name, "__MACOSX") {
			continue
		}
		names = append(names, m.Name)
		if m.Name == o.Member || base == o.Member {
			return []*zip.File{m}, nil
		}
		switch extension := strings.ToLower(path.Ext(base)); {
		case extension == ".sss", extension == ".xml" && isDefinition(m):
			data[stem(m.Name)] = true
			sure = append(sure, m)
		case slices.Contains(surely, extension):
			sure = append(sure, m)
		case slices.Contains(perhaps, extension):
			others = append(others, m)
		}
	}
	if o.Member != "" {
		return nil, &ChoiceError{Path: f.Path, Choice: ChooseMember, Wanted: o.Member, Names: names}
	}
	belongs := func(m *zip.File) bool {
		extension := strings.ToLower(path.Ext(m.Name))
		return data[stem(m.Name)] && extension != ".sss" && extension != ".xml"
	}
	if sure = slices.DeleteFunc(sure, belongs); len(sure) == 0 {
		sure = slices.DeleteFunc(others, belongs)
	}
	if len(sure) == 0 {
		return nil, &Error{Path: f.Path, Reason: "there is no survey file in the archive: SPSS (.sav, .zsav), Stata " +
			"(.dta), Triple-S, CSV, Excel (.xlsx, .xls) and Parquet are read"}
	}
	if len(sure) > 1 {
		names = names[:0]
		for _, m := range sure {
			names = append(names, m.Name)
		}
		return nil, &ChoiceError{Path: f.Path, Choice: ChooseMember, Names: names}
	}
	return sure, nil
}

// isDefinition tells whether a member begins as a Triple-S definition does.
func isDefinition(m *zip.File) bool {
	r, err := m.Open()
	if err != nil {
		return false
	}
	defer r.Close()
	head, err := io.ReadAll(io.LimitReader(r, 4096))
	return err == nil && isXML(head) && strings.Contains(strings.ReplaceAll(string(head), "\x00", ""), "<sss")
}

// What may be read of an unpacked file before the respondents are: a dictionary is held in memory.
const (
	leastDictionary = 6 << 20
	mostDictionary  = 4
)

// definitionFits tells whether a definition of so many bytes may be held, of a packed file of so many.
func definitionFits(definition, size int64) bool {
	return definition <= max(leastDictionary, mostDictionary*size)
}

// metered lets so many bytes be read until it is open.
type metered struct {
	io.ReaderAt
	left   int64
	opened bool
}

// open lets everything be read from now on.
func (m *metered) open() { m.opened = true }

func (m *metered) ReadAt(p []byte, at int64) (int, error) {
	if m.opened {
		return m.ReaderAt.ReadAt(p, at)
	}
	if m.left -= int64(len(p)); m.left < 0 {
		return 0, errDictionary
	}
	return m.ReaderAt.ReadAt(p, at)
}
