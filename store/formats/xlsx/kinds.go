package xlsx

import (
	"archive/zip"
	"encoding/xml"
	"strconv"

	"github.com/crosswave/crosswave/store/formats/cells"
)

const mostFormats = 1 << 16

// readKinds reads of each cell format what it makes of a number.
func readKinds(f *zip.File) ([]cells.Kind, error) {
	custom := map[string]cells.Kind{}
	var list []cells.Kind
	err := elements(f, func(around string, e xml.StartElement) error {
		switch {
		case e.Name.Local == "numFmt" && around == "numFmts":
			custom[attribute(&e, "numFmtId")] = cells.KindOf(attribute(&e, "formatCode"))
		case e.Name.Local == "xf" && around == "cellXfs":
			id := attribute(&e, "numFmtId")
			k, there := custom[id]
			if !there {
				n, err := strconv.Atoi(id)
				if err != nil {
					n = 0 // which is no kind of date
				}
				k = cells.BuiltinKind(n)
			}
			list = append(list, k)
		}
		if max(len(list), len(custom)) > mostFormats {
			return &Error{Part: f.Name, Reason: "it has too many formats"}
		}
		return nil
	})
	return list, err
}
