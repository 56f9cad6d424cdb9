// ws_settle collects the uploads of the river gauges: files come in over FTP,
// so a file may only be taken when its size stays the same for a moment. Taken
// files are decoded (level and discharge rows) and one summary is written.
package main

import (
	"bufio"
	"fmt"
	"os"
	"path/filepath"
	"sort"
	"strconv"
	"strings"
	"time"
)

const quiet = 15 * time.Millisecond

type upload struct {
	path string
	size int64
}

type summary struct {
	gauge     string
	rows, bad int
	maxLevel  float64
	volume    float64
}

func uploads(dir string) ([]upload, error) {
	names, err := filepath.Glob(filepath.Join(dir, "*.wq"))
	if err != nil {
		return nil, err
	}
	sort.Strings(names)
	list := make([]upload, len(names))
	for i, n := range names {
		list[i].path = n
	}
	return list, nil
}

func size(path string) int64 {
	st, err := os.Stat(path)
	if err != nil {
		return -1
	}
	return st.Size()
}

// settled returns the uploads that nobody is writing any more.
func settled(list []upload) []upload {
	var ready []upload
	for i := range list {
		list[i].size = size(list[i].path)
	}
	time.Sleep(quiet)
	for _, u := range list {
		if u.size > 0 && size(u.path) == u.size {
			ready = append(ready, u)
		}
	}
	return ready
}

func decode(u upload) (summary, error) {
	s := summary{gauge: strings.TrimSuffix(filepath.Base(u.path), ".wq"), maxLevel: -1e9}
	f, err := os.Open(u.path)
	if err != nil {
		return s, err
	}
	defer f.Close()
	sc := bufio.NewScanner(f)
	for sc.Scan() {
		p := strings.Split(sc.Text(), ";")
		if len(p) != 3 {
			s.bad++
			continue
		}
		w, e1 := strconv.ParseFloat(p[1], 64)
		q, e2 := strconv.ParseFloat(p[2], 64)
		if e1 != nil || e2 != nil {
			s.bad++
			continue
		}
		s.rows++
		if w > s.maxLevel {
			s.maxLevel = w
		}
		s.volume += q * 900
	}
	return s, sc.Err()
}

func main() {
	if len(os.Args) < 3 {
		fmt.Fprintln(os.Stderr, "usage: ws_settle dir summary")
		os.Exit(2)
	}
	list, err := uploads(os.Args[1])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	ready := settled(list)
	out, err := os.Create(os.Args[2])
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	w := bufio.NewWriter(out)
	total := 0
	for _, u := range ready {
		s, err := decode(u)
		if err != nil {
			fmt.Fprintln(os.Stderr, u.path, err)
			continue
		}
		total += s.rows
		fmt.Fprintf(w, "%s %d %d %.2f %.0f\n", s.gauge, s.rows, s.bad, s.maxLevel, s.volume)
	}
	if w.Flush() != nil || out.Close() != nil {
		os.Exit(1)
	}
	fmt.Printf("%d of %d uploads, %d rows\n", len(ready), len(list), total)
}
