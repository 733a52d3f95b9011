package formats

import (
	"bufio"
	"compress/gzip"
	"crypto/sha256"
	"errors"
	"io"
	"os"

	"github.com/crosswave/crosswave/store/formats/sss"
)

// Hash is the SHA-256 of all that a survey file is read from, one after the other: the file, the data of a Triple-S
// definition, and the codebook beside it, where there is one. Of most files that is the file alone.
func Hash(path string) (hash [32]byte, err error) {
	h := sha256.New()
	file, err := os.Open(path)
	if err != nil {
		return hash, err
	}
	defer file.Close()
	if _, err := io.Copy(h, file); err != nil {
		return hash, err
	}
	head := make([]byte, 4096)
	n, err := file.ReadAt(head, 0)
	if err != nil && err != io.EOF {
		return hash, err
	}
	if err := addData(h, file, head[:n], path); err != nil {
		return hash, err
	}
	codebook, err := os.Open(Beside(path))
	if err == nil {
		defer codebook.Close()
		_, err = io.Copy(h, codebook)
	} else if errors.Is(err, os.ErrNotExist) {
		err = nil
	}
	h.Sum(hash[:0])
	return hash, err
}

// addData adds the data beside a Triple-S definition, which begins as it is given and may be packed with gzip.
func addData(h io.Writer, file *os.File, head []byte, path string) error {
	if _, err := file.Seek(0, io.SeekStart); err != nil {
		return err
	}
	from := io.Reader(file)
	if isGzip(head) {
		z, err := gzip.NewReader(file)
		if err != nil {
			return nil // what is wrong with it is told where it is read
		}
		info, err := file.Stat()
		if err != nil {
			return err
		}
		begin := bufio.NewReaderSize(io.LimitReader(z, max(leastDictionary, mostDictionary*info.Size())), 4096)
		if head, _ = begin.Peek(4096); isXML(head) {
			path = unpackedPath(path)
		}
		from = begin
	}
	if !isXML(head) {
		return nil
	}
	def, err := sss.ParseDefinition(from)
	if err != nil {
		return err
	}
	data, err := openData(def, path)
	if err != nil {
		return err
	}
	defer data.Close()
	_, err = io.Copy(h, data)
	return err
}
