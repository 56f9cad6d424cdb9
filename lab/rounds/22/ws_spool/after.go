// ws_spool empties the incoming spool of the message switch: the oldest file
// first, its checksum is verified, the bulletins are counted by type and the
// file goes to done/ or bad/. Structure of a maildir-like queue runner
// (scan new/, take one, rename into cur/).
package main

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
)

type Spool struct {
	dir, done, bad string
	queue          []os.DirEntry
}

var errEmpty = errors.New("spool empty")

func OpenSpool(root string) (*Spool, error) {
	s := &Spool{dir: filepath.Join(root, "in"), done: filepath.Join(root, "done"), bad: filepath.Join(root, "bad")}
	for _, d := range []string{s.done, s.bad} {
		if err := os.MkdirAll(d, 0o755); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// Next returns the name of the oldest complete file.
func (s *Spool) Next() (string, error) {
	if len(s.queue) == 0 {
		var err error
		if s.queue, err = os.ReadDir(s.dir); err != nil {
			return "", err
		}
	}
	for len(s.queue) > 0 {
		e := s.queue[0]
		s.queue = s.queue[1:]
		n := e.Name()
		if e.IsDir() || strings.HasPrefix(n, ".") || strings.HasSuffix(n, ".tmp") {
			continue
		}
		return n, nil
	}
	return "", errEmpty
}

// Take reads the file and checks "CRC xxxxxxxx" in its last line.
func (s *Spool) Take(name string) ([]byte, bool, error) {
	data, err := os.ReadFile(filepath.Join(s.dir, name))
	if err != nil {
		return nil, false, err
	}
	i := bytes.LastIndex(data, []byte("CRC "))
	if i < 0 || len(data) < i+12 {
		return nil, false, nil
	}
	want, err := strconv.ParseUint(string(data[i+4:i+12]), 16, 32)
	if err != nil || uint32(want) != crc32.ChecksumIEEE(data[:i]) {
		return nil, false, nil
	}
	return data[:i], true, nil
}

func (s *Spool) Finish(name string, ok bool) error {
	to := s.done
	if !ok {
		to = s.bad
	}
	return os.Rename(filepath.Join(s.dir, name), filepath.Join(to, name))
}

func count(data []byte, types map[string]int) {
	for _, line := range bytes.Split(data, []byte("\n")) {
		if len(line) > 4 && line[0] >= 'A' && line[0] <= 'Z' {
			types[string(line[:4])]++
		}
	}
}

func run(root string) error {
	s, err := OpenSpool(root)
	if err != nil {
		return err
	}
	types := map[string]int{}
	good, bad := 0, 0
	for {
		name, err := s.Next()
		if err == errEmpty {
			break
		}
		if err != nil {
			return err
		}
		data, ok, err := s.Take(name)
		if err != nil {
			return err
		}
		if ok {
			good++
			count(data, types)
		} else {
			bad++
		}
		if err := s.Finish(name, ok); err != nil {
			return err
		}
	}
	keys := make([]string, 0, len(types))
	for k := range types {
		keys = append(keys, k)
	}
	sort.Strings(keys)
	for _, k := range keys {
		fmt.Printf("%s %d\n", k, types[k])
	}
	fmt.Printf("%d good, %d bad\n", good, bad)
	return nil
}

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: ws_spool root")
		os.Exit(2)
	}
	if err := run(os.Args[1]); err != nil {
		fmt.Fprintln(os.Stderr, "ws_spool:", err)
		os.Exit(1)
	}
}
